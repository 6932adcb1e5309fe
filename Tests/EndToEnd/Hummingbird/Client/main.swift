// A user of this library at a server that uses it, with DPoP: NotesClient SERVER PORT

import AuthenticationKit
import AuthenticationOpenID
import AuthenticationTestingServers
import Foundation

/// A browser without a window.
struct Pages: AuthorizationPresenter {
  let issuer: LoopbackOpenIDIssuer

  func present(
    redirectingTo redirect: RedirectURI, answering state: String,
    _ makeURL: nonisolated(nonsending) @Sendable (_ redirectURI: String) async throws(AuthenticationError) -> URL
  ) async throws(AuthenticationError) -> URL {
    let page = try await makeURL("com.example.app:/callback")
    guard let url = try? await issuer.visit(page) else { throw .cancelled }
    return url
  }
}

/// One line for each fact.
struct Facts {
  private(set) var failures = 0

  mutating func tell(_ fact: String, _ isTrue: Bool) {
    print(isTrue ? "ok    \(fact)" : "FAILED \(fact)")
    failures += isTrue ? 0 : 1
  }
}

let (program, port) = (CommandLine.arguments[1], CommandLine.arguments[2])
let origin = "http://127.0.0.1:\(port)"
var options = LoopbackOpenIDIssuer.Options()
options.signsAccessTokens = true
options.resources = ["\(origin)/notes"]
let issuer = LoopbackOpenIDIssuer(options)
let identifier = try await issuer.start()

let server = Process()
server.executableURL = URL(filePath: program)
server.arguments = [identifier, port, "0123456789abcdef0123456789abcdef"]
try server.run()
defer { server.terminate() }

func url(_ path: String) -> URL { URL(string: origin + path)! }
let anyone = try SystemHTTPClient()
var attempts = 0
while (try? await anyone.send(HTTPRequest(.get, url("/notes")))) == nil, attempts < 600 {
  attempts += 1
  try await Task.sleep(for: .milliseconds(100))
}

var facts = Facts()
let challenge = try await anyone.send(HTTPRequest(.get, url("/notes")))
facts.tell("without a token the server responds 401", challenge.status == 401)
facts.tell(
  "its challenge asks for DPoP and names the metadata",
  challenge.headers["WWW-Authenticate"]?.contains("/.well-known/oauth-protected-resource/notes") == true
    && challenge.headers["WWW-Authenticate"]?.hasPrefix("DPoP ") == true)
let metadata = try await anyone.send(HTTPRequest(.get, url("/.well-known/oauth-protected-resource/notes")))
facts.tell("the metadata names the resource", metadata.value(at: "resource")?.text == "\(origin)/notes")

var client = OpenIDClient(issuer: identifier, clientID: "app")
client.redirect = .address("com.example.app:/callback")
client.presenter = Pages(issuer: issuer)
client.bindsTokens = true
let notes = ProtectedResource.resource("\(origin)/notes")
let root = try MainRoot(.openIDConnect(client)) {
  $0.storage = .secure(InMemoryStorage())
  $0.resources = [notes: Origin(url("/")).map { [$0] } ?? []]
}
let user = try await root.useCase.signIn(with: .browser)
let api = try root.apiClient(for: notes)
for _ in 0..<3 {
  let response = try await api.send(HTTPRequest(.get, url("/notes?page=1")))
  facts.tell(
    "a bound token with a fresh proof and the server's nonce is accepted",
    response.status == 200 && String(decoding: response.body, as: UTF8.self) == "notes of \(user.id)")
}
do throws(AuthenticationError) {
  let response = try await api.send(HTTPRequest(.get, url("/notes/all")))
  facts.tell("a missing scope is 403", response.status == 403)
} catch {
  facts.tell("a missing scope reaches the app", error == .insufficientScope && error.requiredScopes == ["admin"])
}
let forged = HTTPRequest(.get, url("/notes"), headers: ["Authorization": "DPoP a.b.c", "DPoP": "a.b.c"])
facts.tell("a forged token is 401", try await anyone.send(forged).status == 401)

server.terminate()
server.waitUntilExit()
await issuer.stop()
exit(facts.failures == 0 ? 0 : 1)
