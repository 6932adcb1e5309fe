import AuthenticationData
import AuthenticationDomain
import AuthenticationKit
import AuthenticationOpenID
import AuthenticationPasskeys
import AuthCTLCommands
import Foundation
import Synchronization

/// The browser that shows the product also shows the issuer's page: the next answer leads there, and its redirect comes
/// back as a request.
final class PageBrowser: AuthorizationPresenter {
  private struct Open {
    let state: String
    let page: URL
    let answer: AsyncStream<URL>.Continuation
    var isShown = false
  }

  private let redirectAddress: String
  private let pending = Mutex<Open?>(nil)
  private let changed: Broadcast<Void>

  /// - Parameter changed: told when there is another page, or none any more.
  init(redirectAddress: String, changed: Broadcast<Void>) {
    self.redirectAddress = redirectAddress
    self.changed = changed
  }

  func present(
    redirectingTo redirect: RedirectURI, answering state: String,
    _ makeURL: @Sendable (_ redirectURI: String) async throws(AuthenticationError) -> URL
  ) async throws(AuthenticationError) -> URL {
    let page = try await makeURL(redirectAddress)
    let (answers, answer) = AsyncStream.makeStream(of: URL.self)
    pending.withLock { pending in
      pending?.answer.finish()
      pending = Open(state: state, page: page, answer: answer)
    }
    changed.send(())
    defer {
      pending.withLock { if $0?.state == state { $0 = nil } }
      changed.send(())
    }
    for await url in answers { return url }
    throw AuthenticationError(.cancelled, "The page was left.", suggestion: "Open it again.")
  }

  /// The page that waits to be opened, which is told once.
  func takePage() -> URL? {
    pending.withLock { pending in
      guard pending?.isShown == false else { return nil }
      pending?.isShown = true
      return pending?.page
    }
  }

  /// The page that is open, for a user who has come back from it.
  var page: URL? { pending.withLock { $0?.page } }

  /// The redirect; one that no page waits for is dropped.
  func receive(_ query: String, _ fields: FormFields) {
    guard let url = URL(string: "\(redirectAddress)?\(query)") else { return }
    pending.withLock { pending in
      guard let current = pending, current.state == fields["state"] else { return }
      current.answer.yield(url)
      pending = nil
    }
  }
}

/// Passkeys of the browser that shows the product: the page asks it (WebAuthn Level 3 §5.1), and sends its answer.
final class BrowserAuthenticator: PasskeyAuthenticator {
  /// What the page asks the browser for.
  struct Ceremony: Sendable, Equatable {
    enum Kind: String, Sendable { case get, create }

    let number: Int
    let kind: Kind
    /// `PublicKeyCredential…OptionsJSON`.
    let options: String
  }

  private struct Waiting {
    let ceremony: Ceremony
    let answer: AsyncStream<Data>.Continuation
  }

  private struct Content {
    var last = 0
    var waiting: Waiting?
  }

  private let content = Mutex(Content())
  private let changed: Broadcast<Void>

  /// - Parameter changed: told when there is another ceremony, or none any more.
  init(changed: Broadcast<Void>) { self.changed = changed }

  /// Nil while nothing is asked.
  var ceremony: Ceremony? { content.withLock { $0.waiting?.ceremony } }

  func register(_ options: PasskeyCreationOptions) async throws(AuthenticationError) -> PasskeyRegistration {
    try PasskeyAnswer(json: await ask(.create, options.json)).registration()
  }

  func sign(
    _ options: PasskeyRequestOptions, presentation: PasskeyPresentation
  ) async throws(AuthenticationError) -> PasskeyAssertion {
    try PasskeyAnswer(json: await ask(.get, options.json)).assertion()
  }

  /// What the browser has answered to the ceremony of this number; nil if the user declined. Late answers are dropped.
  func answer(_ number: Int, _ json: String?) {
    content.withLock { content in
      guard let waiting = content.waiting, waiting.ceremony.number == number else { return }
      if let json { waiting.answer.yield(Data(json.utf8)) }
      waiting.answer.finish()
    }
  }

  private func ask(_ kind: Ceremony.Kind, _ options: JSONObject) async throws(AuthenticationError) -> Data {
    let (answers, answer) = AsyncStream.makeStream(of: Data.self)
    let number = content.withLock { content in
      content.last += 1
      content.waiting?.answer.finish()
      content.waiting = Waiting(
        ceremony: Ceremony(number: content.last, kind: kind, options: options.line ?? "{}"), answer: answer)
      return content.last
    }
    changed.send(())
    defer {
      content.withLock { if $0.waiting?.ceremony.number == number { $0.waiting = nil } }
      changed.send(())
    }
    for await data in answers { return data }
    throw AuthenticationError(.cancelled, "The user declined, or the browser has no such passkey.", suggestion: nil)
  }
}

/// What `PublicKeyCredential.toJSON()` of a browser returns (WebAuthn Level 3 §5.1.6).
struct PasskeyAnswer: Decodable {
  struct Response: Decodable {
    let clientDataJSON: String
    let attestationObject: String?
    let authenticatorData: String?
    let signature: String?
    let userHandle: String?
    let transports: [String]?
  }

  let id: String
  let authenticatorAttachment: String?
  let response: Response

  init(json: Data) throws(AuthenticationError) {
    do { self = try BoundedJSON.decode(Self.self, from: json) } catch { throw .malformedAnswer }
  }

  func registration() throws(AuthenticationError) -> PasskeyRegistration {
    try PasskeyRegistration(
      credentialID: Self.bytes(id), clientDataJSON: Self.bytes(response.clientDataJSON),
      attestationObject: Self.bytes(response.attestationObject), attachment: authenticatorAttachment,
      transports: response.transports ?? [])
  }

  func assertion() throws(AuthenticationError) -> PasskeyAssertion {
    try PasskeyAssertion(
      credentialID: Self.bytes(id), clientDataJSON: Self.bytes(response.clientDataJSON),
      authenticatorData: Self.bytes(response.authenticatorData), signature: Self.bytes(response.signature),
      userHandle: response.userHandle.map { text throws(AuthenticationError) in try Self.bytes(text) },
      attachment: authenticatorAttachment)
  }

  private static func bytes(_ text: String?) throws(AuthenticationError) -> Data {
    guard let data = text.flatMap({ Data(lenientBase64: $0) }) else { throw .malformedAnswer }
    return data
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
