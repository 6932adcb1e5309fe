import AuthenticationKit
import AuthenticationOpenID
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
  /// What is asked, in sentences for a user.
  func sentences(resendIn: Duration?) -> [String] {
    var sentences = [question]
    for choice in choices {
      let place = choice.destination.map { " to \($0)" } ?? ""
      sentences.append("choose \(choice.id): \(choice.kind.id)\(place)\(choice.label.map { " (\($0))" } ?? "")")
    }
    for rule in passwordRules { sentences.append(rule) }
    // To a user at a terminal, and into no log.
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

/// What one line says in answer to a challenge: a word or a code from a user, or a JSON object from a script.
enum ChallengeLine {
  case answer(ChallengeAnswer)
  case resend
  case cancel

  private struct Object: Decodable {
    let resend: Bool?
    let choose: String?
    let cancel: Bool?
    let password: String?
  }

  init(_ line: String, to challenge: Challenge) {
    let words = line.split(separator: " ").map(String.init)
    if line.hasPrefix("{"), let object = try? BoundedJSON.decode(Object.self, from: Data(line.utf8)) {
      self.init(object, line, challenge)
    } else if words == ["resend"] {
      self = .resend
    } else if words == ["cancel"] {
      self = .cancel
    } else if words.count == 2, words[0] == "choose" {
      self = .answer(ChallengeAnswer(to: challenge, .choice(words[1])))
    } else {
      self = .answer(.typed(line, to: challenge))
    }
  }

  private init(_ object: Object, _ line: String, _ challenge: Challenge) {
    if object.resend == true {
      self = .resend
    } else if object.cancel == true {
      self = .cancel
    } else if let id = object.choose {
      self = .answer(ChallengeAnswer(to: challenge, .choice(id)))
    } else if let password = object.password {
      self = .answer(ChallengeAnswer(to: challenge, .newPassword(Secret(password))))
    } else {
      self = .answer(.typed(line, to: challenge))
    }
  }
}

extension ChallengeAnswer {
  /// As the kind of the challenge reads what was typed.
  static func typed(_ line: String, to challenge: Challenge) -> Self {
    switch challenge.kind {
    case .choice: Self(to: challenge, .choice(line))
    case .newPassword, .password: Self(to: challenge, .newPassword(Secret(line)))
    case .approval: Self(to: challenge, .approval)
    case .passkey, .passkeyRegistration: Self(to: challenge, .passkey(Secret(line)))
    case .link: URL(string: line).map { Self(to: challenge, .link($0)) } ?? Self(to: challenge, code: Secret(line))
    default: Self(to: challenge, code: Secret(line))
    }
  }
}

extension Console {
  /// Says what is asked: on a terminal by sentences, in a script by an event.
  func show(_ challenge: Challenge, timeLeft: Duration?, resendIn: Duration?) {
    if isJSON {
      out(json: ChallengeEvent(challenge, timeLeft: timeLeft, resendIn: resendIn))
    } else {
      for sentence in challenge.sentences(resendIn: resendIn) { say(sentence) }
    }
  }

  /// Asks for the answer to a challenge, and reads one line.
  ///
  /// - Parameters:
  ///   - command: the one that goes on where the input ends.
  ///   - readLine: the next line of the input; nil at its end.
  func line(
    answering challenge: Challenge, timeLeft: Duration?, resendIn: Duration?, continuing command: String,
    from readLine: () async -> String? = StandardInput.line
  ) async throws -> ChallengeLine {
    show(challenge, timeLeft: timeLeft, resendIn: resendIn)
    if !isJSON {
      if [.newPassword, .password].contains(challenge.kind), isatty(STDIN_FILENO) != 0 {
        let words = challenge.kind == .newPassword ? "New password: " : "Password: "
        let password = try PasswordPrompt.read(fromInput: false, console: self, asking: words)
        return .answer(ChallengeAnswer(to: challenge, .newPassword(password)))
      }
      if isatty(STDIN_FILENO) != 0 { ask("> ") }
    }
    guard let line = await readLine() else { throw AuthenticationError.leftPending(challenge, command) }
    return ChallengeLine(line, to: challenge)
  }
}

/// Lines of standard input; the caller waits elsewhere than on the threads that run everything else.
enum StandardInput {
  /// Nil at the end of the input, or if the task is cancelled.
  static func line() async -> String? {
    let call = AbandonableCall<String?>()
    let answer = try? await call.run { _ in
      await withCheckedContinuation { continuation in
        Thread.detachNewThread { continuation.resume(returning: .success(readLine())) }
      }
    }
    return answer ?? nil
  }
}

extension AuthenticationError {
  static func leftPending(_ challenge: Challenge, _ command: String) -> Self {
    // A key, or the options for a passkey, is not stored.
    let isKept = challenge.enrolment == nil && challenge.passkeyRequest == nil
    var error = Self(
      .challengeRequired, "The provider waits for a step ('\(challenge.kind.id)').",
      suggestion: isKept ? "Go on with 'authctl \(command)'." : "Begin again: this step is not kept.")
    error.challenge = challenge
    return error
  }
}

/// The event of the contract for a code that the user types on another device.
struct DeviceEvent: Encodable {
  let event = "device_code"
  let verification_uri: String
  let verification_uri_complete: String?
  let user_code: String
  let expires_in: Int64

  init(_ prompt: DeviceSignIn.Prompt) {
    verification_uri = prompt.verificationURI
    verification_uri_complete = prompt.completeVerificationURI
    user_code = prompt.userCode
    expires_in = prompt.lifetime.components.seconds
  }

  /// Nil where there is no code to type.
  init?(_ place: ExternalInteraction) {
    guard let address = place.address, let code = place.userCode, let lifetime = place.lifetime else { return nil }
    verification_uri = address
    verification_uri_complete = place.completeAddress
    user_code = code
    expires_in = lifetime.components.seconds
  }
}

extension Console {
  /// The event, or the same in sentences.
  func show(_ code: DeviceEvent) {
    if isJSON { return out(json: code) }
    say("Go to \(code.verification_uri) and type the code \(code.user_code).")
    if let complete = code.verification_uri_complete {
      say("Or go to \(complete), where it is filled in.")
      draw(complete)
    }
    say("The code is good for \(Duration.seconds(code.expires_in).words).")
  }
}
