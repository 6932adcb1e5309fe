import AuthenticationKit
import AuthenticationTesting
import Foundation

/// An app outside the package on the whole road, over HTTP to a real server: sign in, be killed, be opened again, call
/// the API with a token that has to be renewed, sign out.
func expect(_ fact: String, _ holds: Bool) {
  print(holds ? "  yes: \(fact)" : "  NO: \(fact)")
  if !holds { exit(1) }
}

let folder = FileManager.default.temporaryDirectory.appending(path: "road-\(UUID().uuidString)")
defer { try? FileManager.default.removeItem(at: folder) }
let server = LoopbackIdentityServer()
let baseURL = try await server.start()
let notes = HTTPRequest(.get, baseURL.appending(path: "api/notes"))

let app = try MainRoot(.api(baseURL: baseURL), storage: .files(in: folder))
let user = try await app.useCase.login(username: "ada", password: "correct horse")
expect("\(user.name ?? "nobody") signs in over HTTP", user.id == "ada")

server.resetCounters()
let reopened = try MainRoot(.api(baseURL: baseURL), storage: .files(in: folder))
expect("opened again, still signed in", await reopened.manager.restore().user == user)
expect("without a request", server.counters.requests(on: .refresh) + server.counters.requests(on: .user) == 0)

expect("an API call is answered", try await reopened.apiClient.send(notes).status == 200)
server.revokeAllAccessTokens()
expect("and after its token was taken back, too", try await reopened.apiClient.send(notes).status == 200)
expect("with one refresh", server.counters.requests(on: .refresh) == 1)

try await reopened.manager.signOut()
await reopened.manager.deliverRevocations()
expect("signed out here", reopened.currentUser == nil)
expect("and at the server", server.counters.tokensAlive == 0)
await server.stop()
print("ok")
