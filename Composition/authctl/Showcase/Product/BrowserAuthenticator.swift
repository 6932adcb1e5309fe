import AuthenticationKit
import AuthenticationPasskeys
import Foundation
import Synchronization

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
  private let observer = Mutex<@Sendable () -> Void>({})

  /// - Parameter observer: called when there is another ceremony, or none any more.
  func setOnChange(_ observer: @escaping @Sendable () -> Void) { self.observer.withLock { $0 = observer } }

  /// Nil while nothing is asked.
  var ceremony: Ceremony? { content.withLock { $0.waiting?.ceremony } }

  func register(_ options: PasskeyCreationOptions) async throws(AuthenticationError) -> PasskeyRegistration {
    try PasskeyAnswer(json: await ask(.create, PasskeyOptionsWire(options).text)).registration()
  }

  func sign(
    _ options: PasskeyRequestOptions, presentation: PasskeyPresentation
  ) async throws(AuthenticationError) -> PasskeyAssertion {
    try PasskeyAnswer(json: await ask(.get, PasskeyOptionsWire(options).text)).assertion()
  }

  /// What the browser has answered to the ceremony of this number; nil if the person declined. Late answers are dropped.
  func answer(_ number: Int, _ json: String?) {
    content.withLock { content in
      guard let waiting = content.waiting, waiting.ceremony.number == number else { return }
      if let json { waiting.answer.yield(Data(json.utf8)) }
      waiting.answer.finish()
    }
  }

  private func tell() {
    let observer = observer.withLock { $0 }
    observer()
  }

  private func ask(_ kind: Ceremony.Kind, _ options: String) async throws(AuthenticationError) -> Data {
    let (answers, answer) = AsyncStream.makeStream(of: Data.self)
    let number = content.withLock { content in
      content.last += 1
      content.waiting?.answer.finish()
      content.waiting = Waiting(
        ceremony: Ceremony(number: content.last, kind: kind, options: options), answer: answer)
      return content.last
    }
    tell()
    defer {
      content.withLock { if $0.waiting?.ceremony.number == number { $0.waiting = nil } }
      tell()
    }
    for await data in answers { return data }
    throw AuthenticationError(.cancelled, "The person declined, or the browser has no such passkey.", suggestion: nil)
  }
}
