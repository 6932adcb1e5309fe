import ArgumentParser
import AuthenticationKit
import Foundation

extension Challenge {
  /// The event of the contract: the question, and its known details.
  func event(timeLeft: Duration?, resendIn: Duration?) -> JSONObject {
    let choices: [JSONObject] = choices.map {
      ["id": $0.id, "kind": $0.kind.id, "label": $0.label, "destination": $0.destination]
    }
    return [
      "event": "challenge", "kind": kind.id, "destination": destination, "length": format?.length.upperBound,
      "expires_in": timeLeft.map { max($0.components.seconds, 0) },
      "resend_in": resendIn.map { max($0.components.seconds, 0) },
      "attempts_left": attemptsLeft, "choices": choices.isEmpty ? nil : choices,
      // The options for an authenticator (WebAuthn Level 3), where a passkey is asked for.
      "passkey": passkeyRequest.flatMap { try? BoundedJSON.decode(JSONValue.self, from: Data($0.reveal().utf8)) },
    ]
  }

  /// The question, in sentences for a user.
  func sentences(resendIn: Duration?) -> [String] {
    var sentences = [question]
    for choice in choices {
      let place = choice.destination.map { " to \($0)" } ?? ""
      sentences.append("choose \(choice.id): \(choice.kind.id)\(place)\(choice.label.map { " (\($0))" } ?? "")")
    }
    sentences += passwordRules
    // To a user at a terminal, and into no log.
    if let enrolment, isatty(STDERR_FILENO) != 0 {
      sentences.append("The authenticator's key: \(enrolment.secret.reveal())")
    }
    if let attemptsLeft { sentences.append("Attempts left: \(attemptsLeft).") }
    if let lifetime { sentences.append("It is accepted for \(lifetime.words).") }
    return sentences + ["Type \(resendIn == nil ? "" : "resend for another one, or ")cancel to give up."]
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

/// The meaning of one line in answer to a challenge: a word or a code from a user, or a JSON object from a script.
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
    // A byte order mark before JSON is ignored (RFC 8259 §8.1).
    let line = line.hasPrefix("\u{FEFF}{") ? String(line.dropFirst()) : line
    let words = line.split(separator: " ").map(String.init)
    let object = line.hasPrefix("{") ? try? BoundedJSON.decode(Object.self, from: Data(line.utf8)) : nil
    if object?.resend == true || words == ["resend"] {
      self = .resend
    } else if object?.cancel == true || words == ["cancel"] {
      self = .cancel
    } else if let id = object?.choose ?? (words.count == 2 && words[0] == "choose" ? words[1] : nil) {
      self = .answer(ChallengeAnswer(to: challenge, .choice(id)))
    } else if let password = object?.password {
      self = .answer(ChallengeAnswer(to: challenge, .newPassword(Secret(password))))
    } else {
      self = .answer(Self.typed(line, to: challenge))
    }
  }

  /// Why nothing can be sent again now; nil if it can.
  static func refusal(toResendIn time: Duration?) -> String? {
    guard let time else { return "This cannot be sent again." }
    return time > .zero ? "Nothing was sent. Another one can be sent in \((time + .milliseconds(999)).words)." : nil
  }

  /// As the kind of the challenge reads the typed text.
  private static func typed(_ line: String, to challenge: Challenge) -> ChallengeAnswer {
    switch challenge.kind {
    case .choice: .init(to: challenge, .choice(line))
    case .newPassword, .password: .init(to: challenge, .newPassword(Secret(line)))
    case .approval: .init(to: challenge, .approval)
    case .passkey, .passkeyRegistration: .init(to: challenge, .passkey(Secret(line)))
    case .link: URL(string: line).map { .init(to: challenge, .link($0)) } ?? .init(to: challenge, code: Secret(line))
    default: .init(to: challenge, code: Secret(line))
    }
  }
}

extension Console {
  /// Prints the question: on a terminal by sentences, in a script by an event.
  func show(_ challenge: Challenge, timeLeft: Duration?, resendIn: Duration?) {
    if isJSON {
      out(json: challenge.event(timeLeft: timeLeft, resendIn: resendIn))
    } else {
      for sentence in challenge.sentences(resendIn: resendIn) { say(sentence) }
    }
  }

  /// Asks for the answer to a challenge, and reads one line.
  ///
  /// - Parameters:
  ///   - command: the one that continues where the input ends.
  ///   - readLine: the next line of the input; nil at its end.
  func line(
    answering challenge: Challenge, timeLeft: Duration?, resendIn: Duration?, continuing command: String,
    from readLine: () async throws -> String? = StandardInput.line
  ) async throws -> ChallengeLine {
    show(challenge, timeLeft: timeLeft, resendIn: resendIn)
    if !isJSON, isatty(STDIN_FILENO) != 0 {
      if [.newPassword, .password].contains(challenge.kind) {
        let words = challenge.kind == .newPassword ? "New password: " : "Password: "
        let password = try password(fromInput: false, asking: words)
        return .answer(ChallengeAnswer(to: challenge, .newPassword(password)))
      }
      ask("> ")
    }
    guard let line = try await readLine() else { throw AuthenticationError.leftPending(challenge, command) }
    return ChallengeLine(line, to: challenge)
  }

  /// Shows a code that the user types on another device: the event of the contract, or the same in sentences. Says
  /// nothing where there is no code to type.
  func show(_ interaction: ExternalInteraction) {
    guard let address = interaction.address, let code = interaction.userCode, let lifetime = interaction.lifetime
    else { return }
    if isJSON {
      return out(json: [
        "event": "device_code", "verification_uri": address,
        "verification_uri_complete": interaction.completeAddress, "user_code": code,
        "expires_in": lifetime.components.seconds,
      ])
    }
    say("Go to \(address) and type the code \(code).")
    if let completeAddress = interaction.completeAddress {
      say("Or go to \(completeAddress), where it is filled in.")
      draw(completeAddress)
    }
    say("The code is good for \(lifetime.words).")
  }
}

/// Lines of standard input, of which nothing is read ahead.
enum StandardInput {
  /// An answer to a challenge; the caller waits elsewhere than on the threads that run everything else. Nil at the end
  /// of the input, or if the task is cancelled.
  static func line() async throws -> String? {
    let answer = try? await AbandonableCall.run {
      await withCheckedContinuation { continuation in
        Thread.detachNewThread { continuation.resume(returning: Result { try nextLine("The answer") }) }
      }
    }
    return try answer?.get()
  }

  /// Blocks until there is a line; nil at the end of the input.
  ///
  /// - Parameter what: the kind of line, for the message.
  static func nextLine(_ what: String) throws -> String? {
    var (bytes, byte): ([UInt8], UInt8) = ([], 0)
    while true {
      let count = unsafe read(STDIN_FILENO, &byte, 1)
      if count < 0, errno == EINTR { continue }
      if count != 1, bytes.isEmpty { return nil }
      if count != 1 || byte == UInt8(ascii: "\n") { break }
      bytes.append(byte)
    }
    if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
    return try text(bytes, what)
  }

  /// Throws in place of a text with other characters than the user's: a wrong password counts as an attempt.
  static func text(_ bytes: some Collection<UInt8>, _ what: String) throws -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw ValidationError("\(what) is no UTF-8 text; nothing was sent.")
    }
    return text
  }
}

extension AuthenticationError {
  static func leftPending(_ challenge: Challenge, _ command: String) -> Self {
    // A key, or the options for a passkey, is not stored.
    let isKept = challenge.enrolment == nil && challenge.passkeyRequest == nil
    return Self(
      .challengeRequired, "The provider waits for a step ('\(challenge.kind.id)').",
      suggestion: isKept ? "Go on with 'authctl \(command)'." : "Begin again: this step is not kept."
    ).with(\.challenge, challenge)
  }
}
