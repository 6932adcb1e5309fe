import AuthenticationKit
import AuthenticationTestingServers
import Foundation

/// An app outside the package on the whole road, over HTTP to a real server: sign in, be killed, be opened again, call
/// the API with a token that has to be refreshed, sign out. Each step is a separate process.
if CommandLine.arguments.count == 4, let baseURL = URL(string: CommandLine.arguments[2]) {
  try await App(baseURL: baseURL, folder: URL(filePath: CommandLine.arguments[3])).run(CommandLine.arguments[1])
  exit(0)
}

func expect(_ fact: String, _ holds: Bool) {
  print(holds ? "  yes: \(fact)" : "  NO: \(fact)")
  if !holds { exit(1) }
}

let folder = FileManager.default.temporaryDirectory.appending(path: "road-\(UUID().uuidString)")
defer { try? FileManager.default.removeItem(at: folder) }
let server = LoopbackIdentityServer()
let baseURL = try await server.start()

/// The output of the app, and whether it came to its end.
func app(_ step: String) throws -> (line: String, ended: Bool) {
  let process = Process()
  let output = Pipe()
  process.executableURL = Bundle.main.executableURL
  process.arguments = [step, baseURL.absoluteString, folder.path]
  process.standardOutput = output
  try process.run()
  let line = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
  process.waitUntilExit()
  return (line, process.terminationReason == .exit && process.terminationStatus == 0)
}

let signIn = try app("sign-in")
expect("a user signs in over HTTP, and the app is killed", signIn.line == "ada\n" && !signIn.ended)

server.resetCounters()
expect("opened again, still signed in", try app("open") == ("ada\n", true))
let requests = LoopbackIdentityServer.Endpoint.allCases.map { server.counters.requests(on: $0) }
expect("without a request", requests.allSatisfy { $0 == 0 })

expect("an API call is answered", try app("call") == ("200\n", true))
server.revokeAllAccessTokens()
expect("and after its token was taken back, too", try app("call") == ("200\n", true))
expect("with one refresh", server.counters.requests(on: .refresh) == 1)

expect("signed out", try app("sign-out") == ("none\n", true))
expect("and at the server", server.counters.tokensAlive == 0)
expect("opened again, no user is signed in", try app("open") == ("none\n", true))
await server.stop()
print("ok")
