package import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Maps `{"challenge": {"id", "kind", …}}` to a ``Challenge``, and its answer to a body, as the standard contract has
/// them.
///
/// Besides `id` and `kind` (``Challenge/Kind/id``) all members are optional: `destination`, `length` with `maxLength`,
/// `letters`, `expiresIn` and `resendIn` in seconds, `attemptsLeft`, `choices` (`id`, `kind`, `destination`),
/// `passwordRules`, `secret` and `uri` of an authenticator, `passkey` (options as JSON), `pollIn` in seconds.
package enum APIChallengeResponseMapper {
  private struct Wire: Decodable {
    let challenge: Body
  }

  private struct Body: Decodable {
    let id: String
    let kind: String
    let destination: String?
    let length: Int?
    let maxLength: Int?
    let letters: Bool?
    let expiresIn: Int?
    let resendIn: Int?
    let attemptsLeft: Int?
    let choices: [Choice]?
    let passwordRules: [String]?
    let secret: String?
    let uri: String?
    let passkey: JSONValue?
    let pollIn: Int?
  }

  private struct Choice: Decodable {
    let id: String
    let kind: String
    let destination: String?
  }

  /// Nil if the response, of any status, asks for no step.
  @Sendable package static func map(_ response: HTTPResponse) -> Challenge? {
    guard response.isJSON, let wire = try? BoundedJSON.decode(Wire.self, from: response.body) else { return nil }
    let body = wire.challenge
    guard !body.id.isEmpty, !body.kind.isEmpty else { return nil }
    return Challenge(
      kind: .init(id: body.kind), destination: body.destination, handle: Secret(body.id), format: format(of: body),
      lifetime: body.expiresIn.flatMap(seconds), resendDelay: body.resendIn.flatMap(seconds),
      attemptsLeft: body.attemptsLeft,
      choices: (body.choices ?? []).map { .init(id: $0.id, kind: .init(id: $0.kind), destination: $0.destination) },
      passwordRules: body.passwordRules ?? [],
      enrolment: body.secret.map { .init(secret: Secret($0), uri: body.uri.map(Secret.init)) },
      passkeyRequest: body.passkey.flatMap(text), pollInterval: body.pollIn.flatMap(seconds))
  }

  /// `{"challenge": …}` with one of `code`, `link`, `password`, `choice`, `passkey`, `approval` or `resend`.
  package static func body(of answer: ChallengeAnswer) -> [String: JSONValue] {
    let content: (String, JSONValue) =
      switch answer.content {
      case .code(let code): ("code", .string(code.reveal()))
      case .link(let url): ("link", .string(url.absoluteString))
      case .newPassword(let password): ("password", .string(password.reveal()))
      case .choice(let id): ("choice", .string(id))
      case .passkey(let json): ("passkey", value(json))
      case .approval: ("approval", true)
      case .resend: ("resend", true)
      }
    return ["challenge": .string(answer.challenge.handle.reveal()), content.0: content.1]
  }

  private static func format(of body: Body) -> CodeFormat? {
    // A form draws a place for each character.
    guard let shortest = body.length, case let longest = body.maxLength ?? shortest, 0 < shortest, shortest <= longest,
      longest <= 64
    else { return nil }
    return CodeFormat(
      length: shortest...longest, alphabet: body.letters == true ? .lettersAndDigits : .digits)
  }

  private static func seconds(_ count: Int) -> Duration? { (0...31_536_000).contains(count) ? .seconds(count) : nil }

  private static func text(_ value: JSONValue) -> Secret? {
    (try? JSONEncoder().encode(value)).map { Secret(String(decoding: $0, as: UTF8.self)) }
  }

  private static func value(_ json: Secret) -> JSONValue {
    (try? BoundedJSON.decode(JSONValue.self, from: Data(json.reveal().utf8))) ?? .null
  }
}
