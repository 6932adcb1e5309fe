import AuthenticationData
import AuthenticationDomain
import AuthenticationKit
import AuthenticationOpenID
import AuthenticationPasskeys
import AuthCTLCommands
import Foundation
import Synchronization

/// Not the one that reads tokens.
private typealias JSONObject = AuthCTLCommands.JSONObject

/// The questions to the browser that shows the product, which answers with a later request. Another question takes the
/// place of one that is open, which then has no answer.
final class BrowserQuestion<Question: Sendable, Answer: Sendable>: Sendable {
  private struct Content: Sendable {
    var count = 0
    var open: (question: Question, answer: AsyncStream<Answer>.Continuation)?
  }

  private let content = Mutex(Content())
  private let changed: Broadcast<Void>

  /// - Parameter changed: told when there is another question, or none any more.
  init(changed: Broadcast<Void>) { self.changed = changed }

  /// Nil while nothing is asked.
  var open: Question? { content.withLock { $0.open?.question } }

  /// - Parameter question: by its number.
  /// - Returns: nil if there is no answer.
  func ask(_ question: @Sendable (Int) -> Question) async -> Answer? {
    let (answers, answer) = AsyncStream.makeStream(of: Answer.self)
    let number = content.withLock { content in
      content.open?.answer.finish()
      content.count += 1
      content.open = (question(content.count), answer)
      return content.count
    }
    changed.send(())
    defer {
      content.withLock { if $0.count == number { $0.open = nil } }
      changed.send(())
    }
    for await answer in answers { return answer }
    return nil
  }

  /// Drops an answer to another question than the open one; nil if the user declined.
  func answer(_ answer: Answer?, ifAsked isAsked: (Question) -> Bool) {
    content.withLock { content in
      guard let current = content.open, isAsked(current.question) else { return }
      if let answer { current.answer.yield(answer) }
      current.answer.finish()
      content.open = nil
    }
  }
}

/// The browser that shows the product also shows the issuer's page: the next answer leads there, and its redirect comes
/// back as a request.
final class PageBrowser: AuthorizationPresenter {
  private let redirectAddress: String
  private let asked: BrowserQuestion<(state: String, page: URL), URL>
  private let taken = Mutex<URL?>(nil)

  init(redirectAddress: String, changed: Broadcast<Void>) {
    self.redirectAddress = redirectAddress
    asked = BrowserQuestion(changed: changed)
  }

  func present(
    redirectingTo redirect: RedirectURI, answering state: String,
    _ makeURL: @Sendable (_ redirectURI: String) async throws(AuthenticationError) -> URL
  ) async throws(AuthenticationError) -> URL {
    let page = try await makeURL(redirectAddress)
    guard let url = await asked.ask({ _ in (state, page) }) else {
      throw AuthenticationError(.cancelled, "The page was left.", suggestion: "Open it again.")
    }
    return url
  }

  /// The open page, for a user who has come back from it.
  var page: URL? { asked.open?.page }

  /// The page that waits to be opened, which is told once.
  func takePage() -> URL? {
    let page = page
    return taken.withLock { taken in
      guard taken != page else { return nil }
      taken = page
      return page
    }
  }

  /// The redirect; one that no page waits for is dropped.
  func receive(_ query: String, _ fields: FormFields) {
    guard let url = URL(string: "\(redirectAddress)?\(query)") else { return }
    asked.answer(url) { $0.state == fields["state"] }
  }
}

/// Passkeys of the browser that shows the product: the page asks it (WebAuthn Level 3 §5.1), and sends its answer.
final class BrowserAuthenticator: PasskeyAuthenticator {
  /// The request of the page to the browser.
  struct Ceremony: Sendable, Equatable {
    enum Kind: String, Sendable { case get, create }

    let number: Int
    let kind: Kind
    /// `PublicKeyCredential…OptionsJSON`.
    let options: String
  }

  private let asked: BrowserQuestion<Ceremony, String>

  init(changed: Broadcast<Void>) { asked = BrowserQuestion(changed: changed) }

  /// Nil while nothing is asked.
  var ceremony: Ceremony? { asked.open }

  /// The browser's answer to the ceremony of this number; nil if the user declined. Late answers are dropped.
  func answer(_ number: Int, _ json: String?) { asked.answer(json) { $0.number == number } }

  func register(_ options: PasskeyCreationOptions) async throws(AuthenticationError) -> PasskeyRegistration {
    let (answer, response) = try await ask(.create, options.json)
    return try PasskeyRegistration(
      credentialID: answer.bytes("id"), clientDataJSON: response.bytes("clientDataJSON"),
      attestationObject: response.bytes("attestationObject"), attachment: answer["authenticatorAttachment"],
      transports: response.texts("transports"))
  }

  func sign(
    _ options: PasskeyRequestOptions, presentation: PasskeyPresentation
  ) async throws(AuthenticationError) -> PasskeyAssertion {
    let (answer, response) = try await ask(.get, options.json)
    return try PasskeyAssertion(
      credentialID: answer.bytes("id"), clientDataJSON: response.bytes("clientDataJSON"),
      authenticatorData: response.bytes("authenticatorData"), signature: response.bytes("signature"),
      userHandle: response.bytes("userHandle"), attachment: answer["authenticatorAttachment"])
  }

  /// Returns the result of a browser's `PublicKeyCredential.toJSON()` (WebAuthn Level 3 §5.1.6), and its `response`.
  private func ask(
    _ kind: Ceremony.Kind, _ options: JSONObject
  ) async throws(AuthenticationError) -> (JSONMembers, response: JSONMembers) {
    let options = options.line ?? "{}"
    guard let json = await asked.ask({ Ceremony(number: $0, kind: kind, options: options) }) else {
      throw AuthenticationError(.cancelled, "The user declined, or the browser has no such passkey.", suggestion: nil)
    }
    guard let answer = JSONMembers(json: Data(json.utf8)), let response = answer.members("response") else {
      throw .malformedAnswer
    }
    return (answer, response)
  }
}

extension JSONMembers {
  /// A member in base64url; empty where there is none.
  fileprivate func bytes(_ name: String) throws(AuthenticationError) -> Data {
    guard let bytes = Data(lenientBase64: self[name] ?? "") else { throw .malformedAnswer }
    return bytes
  }
}

extension AuthenticationError {
  fileprivate static let malformedAnswer = Self(
    .unexpectedResponse, "The browser's answer is no WebAuthn response.", suggestion: "Try another passkey.")
}

/// Options as a page gives them to `PublicKeyCredential.parse…OptionsFromJSON` (WebAuthn Level 3 §5.1.8, §5.1.9).
extension PasskeyCreationOptions {
  fileprivate var json: JSONObject {
    let user: JSONObject = ["id": userID.base64URL, "name": userName, "displayName": userDisplayName]
    let selection: JSONObject = [
      "residentKey": residentKey.rawValue, "userVerification": userVerification.rawValue,
      "authenticatorAttachment": attachment,
    ]
    return [
      "challenge": challenge.base64URL, "rp": ["id": relyingPartyID, "name": "Showcase"] as JSONObject, "user": user,
      "pubKeyCredParams": algorithms.map { ["type": "public-key", "alg": $0] as JSONObject },
      "excludeCredentials": excludedCredentials.map(\.json), "authenticatorSelection": selection,
    ]
  }
}

extension PasskeyRequestOptions {
  fileprivate var json: JSONObject {
    [
      "challenge": challenge.base64URL, "rpId": relyingPartyID, "allowCredentials": allowedCredentials.map(\.json),
      "userVerification": userVerification.rawValue,
    ]
  }
}

extension PasskeyDescriptor {
  fileprivate var json: JSONObject { ["type": "public-key", "id": id.base64URL, "transports": transports] }
}
