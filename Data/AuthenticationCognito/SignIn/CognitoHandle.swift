import AuthenticationData
import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What is known again of a step when it is answered: whose it is, and the newest `Session`.
struct CognitoHandle: Sendable {
  /// The steps that are ours: they have no challenge name.
  static let confirmation = "confirm-sign-up"
  static let reset = "reset"
  static let signIn = "sign-in"
  static let verification = "verify"
  static let enrolment = "enrol"
  static let registration = "register"

  private var handle: ChallengeHandle

  /// - Parameters:
  ///   - step: the challenge name, or one of ours.
  ///   - userName: the newest name that the service used.
  init(_ step: String, of userName: String, session: String? = nil) {
    handle = ChallengeHandle(step, ["user": userName, "session": session])
  }

  init(_ challenge: Challenge) throws(AuthenticationError) { handle = try ChallengeHandle(challenge) }

  var step: String { handle.step }
  var userName: String { handle["user"] ?? "" }
  var session: String? { handle["session"] }
  var secret: Secret { handle.secret }

  /// What was chosen among several challenges.
  var choice: String? {
    get { handle["choice"] }
    set { handle["choice"] = newValue }
  }

  /// What was asked for at the beginning, to ask for it again.
  var preferred: String? {
    get { handle["preferred"] }
    set { handle["preferred"] = newValue }
  }

  /// Where to find a password or a code in this process's memory.
  var memory: String? {
    get { handle["memory"] }
    set { handle["memory"] = newValue }
  }

  /// The attribute that is verified.
  var attribute: String? {
    get { handle["attribute"] }
    set { handle["attribute"] = newValue }
  }

  var parameters: [String: String] {
    get {
      handle["parameters"].flatMap { try? BoundedJSON.decode([String: String].self, from: Data($0.utf8)) } ?? [:]
    }
    set { handle["parameters"] = (try? JSONEncoder().encode(newValue)).map { String(decoding: $0, as: UTF8.self) } }
  }
}
