import AuthenticationKit
import Foundation

/// What one line says in answer to a challenge: a word or a code from a person, or a JSON object from a script.
enum ChallengeLine {
  case code(Secret)
  case newPassword(Secret)
  case link(URL)
  case choose(String)
  case approved
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
    if line.hasPrefix("{"), let object = try? JSONDecoder().decode(Object.self, from: Data(line.utf8)) {
      self.init(object, line, challenge)
    } else if words == ["resend"] {
      self = .resend
    } else if words == ["cancel"] {
      self = .cancel
    } else if words.count == 2, words[0] == "choose" {
      self = .choose(words[1])
    } else {
      self.init(answer: line, to: challenge)
    }
  }

  private init(_ object: Object, _ line: String, _ challenge: Challenge) {
    if object.resend == true {
      self = .resend
    } else if object.cancel == true {
      self = .cancel
    } else if let id = object.choose {
      self = .choose(id)
    } else if let password = object.password {
      self = .newPassword(Secret(password))
    } else {
      self.init(answer: line, to: challenge)
    }
  }

  private init(answer: String, to challenge: Challenge) {
    switch challenge.kind {
    case .choice: self = .choose(answer)
    case .newPassword: self = .newPassword(Secret(answer))
    case .approval: self = .approved
    case .link: self = URL(string: answer).map { .link($0) } ?? .code(Secret(answer))
    default: self = .code(Secret(answer))
    }
  }
}
