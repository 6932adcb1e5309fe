import AuthenticationAccount
import AuthenticationKit
import Foundation

/// An app of a backend that is described by a contract, for a program that reads and writes lines:
///
///     backends CONTRACT BASE-URL
///
/// A line is a command and its arguments, in JSON; the response is a line, too: `signed-in ID`, `challenge KIND`,
/// `done`, or `failed CODE`.
enum Backends {
  private static let contracts: [String: (sessions: APIContract, account: APIAccountContract)] = [
    "pocketbase": (.pocketBase, .pocketBase), "dj-rest-auth": (.djRestAuth, .djRestAuth),
    "fastapi-users": (.fastAPIUsers, .fastAPIUsers), "matrix": (.matrix, .matrix),
  ]

  static func run(_ arguments: [String]) async throws {
    guard arguments.count == 2, let contract = contracts[arguments[0]] else { exit(64) }
    let app = try App(.api(baseURL: arguments[1], contract: contract.sessions, account: contract.account))
    while let line = readLine() {
      guard let words = try? JSONDecoder().decode([String].self, from: Data(line.utf8)) else { exit(65) }
      tell(await app.response(to: words))
    }
  }
}
