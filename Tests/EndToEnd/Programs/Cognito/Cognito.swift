import AuthenticationCognito
import AuthenticationKit
import Foundation

/// A client of a user pool, for a program that reads and writes lines:
///
///     cognito ENDPOINT POOL CLIENT
///
/// A line is a command and its arguments, in JSON; the response is a line, too: `signed-in ID`, `challenge KIND`,
/// `done`, or `failed CODE PROVIDER-CODE`.
///
///     cognito powers SEED COUNT
///
/// Prints a hash of so many powers modulo Cognito's prime, to compare with another implementation.
///
///     cognito time COUNT
///
/// Prints how long the arithmetic of one sign-in takes, in milliseconds.
enum Cognito {
  static func run(_ arguments: [String]) async throws {
    switch (arguments.first, arguments.count) {
    case ("powers", 3): print(Powers.hash(seed: arguments[1], count: Int(arguments[2]) ?? 0))
    case ("time", 2): print(SignInTime.milliseconds(count: Int(arguments[1]) ?? 1))
    case (.some, 3):
      let user = try PoolUser(endpoint: arguments[0], pool: arguments[1], client: arguments[2])
      while let line = readLine() {
        guard let words = try? JSONDecoder().decode([String].self, from: Data(line.utf8)) else { exit(65) }
        tell(await user.response(to: words))
      }
    default: exit(64)
    }
  }
}
