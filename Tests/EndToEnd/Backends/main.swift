import AuthenticationKit
import AuthenticationTesting
import Foundation

/// An app of a backend that is described by a contract, for a judge that reads and writes lines:
///
///     backends CONTRACT BASE-URL
///
/// A line is a command and what it takes, in JSON; the response is a line, too: `signed-in ID`, `challenge KIND`, `done`,
/// or `failed CODE`.
let contracts: [String: APIContract] = [
  "pocketbase": .pocketBase, "dj-rest-auth": .djRestAuth, "fastapi-users": .fastAPIUsers, "matrix": .matrix,
]
guard CommandLine.arguments.count == 3, let contract = contracts[CommandLine.arguments[1]] else { exit(64) }
let app = try App(.api(baseURL: CommandLine.arguments[2], contract: contract))
while let line = readLine() {
  guard let words = try? JSONDecoder().decode([String].self, from: Data(line.utf8)) else { exit(65) }
  // At once: the judge waits for it.
  FileHandle.standardOutput.write(Data((await app.response(to: words) + "\n").utf8))
}
