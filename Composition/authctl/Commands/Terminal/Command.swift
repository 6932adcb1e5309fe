package import ArgumentParser
package import AuthenticationKit
import Foundation

/// A command of the contract: every failure ends as one line for users, an event for scripts, and an exit code.
package protocol Command: AsyncParsableCommand {
  /// The beginning of its sentences.
  static var program: String { get }
  var json: Bool { get }
  /// The exit code of a failure; by default that of its code and its source.
  func status(of error: AuthenticationError) -> ExitStatus
  func perform(on console: Console) async throws
}

extension Command {
  package static var program: String { "authctl" }

  package var json: Bool { false }

  package func status(of error: AuthenticationError) -> ExitStatus { ExitStatus(error) }

  package mutating func run() async throws {
    let console = Console(isJSON: json, program: Self.program)
    do {
      try await perform(on: console)
    } catch let error as AuthenticationError {
      console.report(error)
      throw status(of: error).exitCode
    } catch let interrupted as Interrupted {
      // As a shell tells it, now that nothing is left behind.
      throw ExitCode(128 + interrupted.signal)
    }
  }
}

extension Console {
  func report(_ error: AuthenticationError) {
    say("\(program): \(error.told)\(error.advice.map { " " + $0 } ?? "")")
    let event: JSONObject = [
      "event": "error", "code": error.code, "message": error.message, "provider_code": error.providerCode,
    ]
    // The failure is told already: this one line may fail.
    if isJSON, let line = event.line { try? FileHandle.standardOutput.write(contentsOf: Data((line + "\n").utf8)) }
  }

  /// The command continues: it only reports. Its name stands before the one line of a failure alone.
  func warn(of error: AuthenticationError) { say("\(error.messageWithCode)\(error.advice.map { " " + $0 } ?? "")") }

  /// The user is signed in all the same.
  func report(omittedClaimsOf user: User) {
    let names = user.omittedClaims.joined(separator: ", ")
    if !names.isEmpty { say("authctl: Claims that are too large or nest too deep were not kept: \(names).") }
  }

  func report(registeredAs clientID: String, at issuer: String) {
    if isJSON { return out(json: ["event": "registered", "client_id": clientID, "issuer": issuer]) }
    say("This program is registered at \(issuer) now, with the client id \(clientID).")
  }

  /// The user is signed in all the same.
  func report(unusedUserInfo error: AuthenticationError) {
    say("authctl: What the provider says of the user (userinfo) was not used. \(error.messageWithCode)")
  }

  /// The command continues: the new tokens are used.
  func report(droppedIDToken error: AuthenticationError) {
    say("authctl: The ID token of the refresh was dropped, and the new tokens are used. \(error.message)")
  }
}

extension AuthenticationError {
  /// The failure, with the provider's code in parentheses.
  var told: String {
    guard let providerCode = self.providerCode else { return message }
    guard let end = message.last, ".!?".contains(end) else { return "\(message) (\(providerCode))" }
    return "\(message.dropLast()) (\(providerCode))\(end)"
  }
}
