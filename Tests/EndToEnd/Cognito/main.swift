import AuthenticationCognito
import AuthenticationKit
import Foundation

/// A client of a user pool, for a judge that reads and writes lines:
///
///     cognito ENDPOINT POOL CLIENT
///
/// A line is a command and what it takes, in JSON; the response is a line, too: `signed-in ID`, `challenge KIND`, `done`,
/// or `failed CODE PROVIDER-CODE`.
///
///     cognito powers SEED COUNT
///
/// Prints a hash of so many powers modulo Cognito's prime, to compare with another implementation.
///
///     cognito time COUNT
///
/// Prints how long the arithmetic of one sign-in takes, in milliseconds.
let arguments = CommandLine.arguments
switch arguments.dropFirst().first {
case "powers" where arguments.count == 4: print(Powers.hash(seed: arguments[2], count: Int(arguments[3]) ?? 0))
case "time" where arguments.count == 3: print(SignInTime.milliseconds(count: Int(arguments[2]) ?? 1))
case .some where arguments.count == 4:
  let person = try Person(endpoint: arguments[1], pool: arguments[2], client: arguments[3])
  while let line = readLine() {
    guard let words = try? JSONDecoder().decode([String].self, from: Data(line.utf8)) else { exit(65) }
    // At once: whoever reads it waits for it.
    FileHandle.standardOutput.write(Data((await person.response(to: words) + "\n").utf8))
  }
default: exit(64)
}
