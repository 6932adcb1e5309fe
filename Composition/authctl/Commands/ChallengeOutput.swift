import AuthenticationKit
import Foundation

/// The event of the contract: what is asked, and what is known of it.
struct ChallengeEvent: Encodable {
  struct Choice: Encodable {
    let id: String
    let kind: String
    let label: String?
    let destination: String?

    init(_ factor: Challenge.Factor) {
      id = factor.id
      kind = factor.kind.id
      label = factor.label
      destination = factor.destination
    }
  }

  let event = "challenge"
  let kind: String
  let destination: String?
  let length: Int?
  let expires_in: Int64?
  let resend_in: Int64?
  let attempts_left: Int?
  let choices: [Choice]?
  /// The options for an authenticator (WebAuthn Level 3), where a passkey is asked for.
  let passkey: JSONValue?

  init(_ challenge: Challenge, timeLeft: Duration?, resendIn: Duration?) {
    kind = challenge.kind.id
    destination = challenge.destination
    length = challenge.format?.length.upperBound
    expires_in = timeLeft.map { max($0.components.seconds, 0) }
    resend_in = resendIn.map { max($0.components.seconds, 0) }
    attempts_left = challenge.attemptsLeft
    choices = challenge.choices.isEmpty ? nil : challenge.choices.map(Choice.init)
    passkey = challenge.passkeyRequest.flatMap {
      try? BoundedJSON.decode(JSONValue.self, from: Data($0.reveal().utf8))
    }
  }
}

extension Challenge {
  /// What is asked, in sentences for a person.
  func sentences(resendIn: Duration?) -> [String] {
    var sentences = [question]
    for choice in choices {
      let place = choice.destination.map { " to \($0)" } ?? ""
      sentences.append("choose \(choice.id): \(choice.kind.id)\(place)\(choice.label.map { " (\($0))" } ?? "")")
    }
    for rule in passwordRules { sentences.append(rule) }
    // To a person at a terminal, and into no log.
    if let enrolment, isatty(STDERR_FILENO) != 0 {
      sentences.append("The authenticator's key: \(enrolment.secret.reveal())")
    }
    if let attemptsLeft { sentences.append("Attempts left: \(attemptsLeft).") }
    if let lifetime { sentences.append("It is accepted for \(lifetime.words).") }
    let words = resendIn == nil ? "Type cancel to give up." : "Type resend for another one, or cancel to give up."
    return sentences + [words]
  }

  private var question: String {
    let place = destination.map { " sent to \($0)" } ?? ""
    let length = format.map { $0.length.count == 1 ? " (\($0.length.upperBound) characters)" : "" } ?? ""
    switch kind {
    case .choice: return "Choose how to go on."
    case .newPassword: return "Type a new password."
    case .password: return "Type your password again."
    case .link: return "Open the link\(place), or paste it here."
    case .approval: return "Approve on your other device\(destination.map { " (\($0))" } ?? "")."
    case .oneTimePassword: return "Type the code of your authenticator app\(length)."
    case .recoveryCode: return "Type a recovery code."
    case .passkey, .passkeyRegistration: return "Paste an authenticator's response to the options, as JSON on one line."
    case .enrolment: return "Add this key to an authenticator app, and type the code that it shows\(length)."
    default: return "Type the code\(place)\(length)."
    }
  }
}
