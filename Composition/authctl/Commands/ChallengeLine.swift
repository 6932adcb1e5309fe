import AuthenticationKit
import Foundation

/// What one line says in answer to a challenge: a word or a code from a person, or a JSON object from a script.
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
