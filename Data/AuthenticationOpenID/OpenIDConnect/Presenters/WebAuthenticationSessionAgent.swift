// watchOS and tvOS have the session, but no window over which to show it.
#if canImport(AuthenticationServices) && !os(watchOS) && !os(tvOS)
import AuthenticationDomain
import AuthenticationServices
import Foundation

/// One `ASWebAuthenticationSession`, which lives as long as its agent.
@MainActor
final class WebAuthenticationSessionAgent: NSObject, CallbackAgent {
  private let callback: ASWebAuthenticationSession.Callback
  private let isEphemeral: Bool
  private let anchor: @MainActor @Sendable () -> ASPresentationAnchor
  private var session: ASWebAuthenticationSession?

  init(
    callback: ASWebAuthenticationSession.Callback, isEphemeral: Bool,
    anchor: @escaping @MainActor @Sendable () -> ASPresentationAnchor
  ) {
    self.callback = callback
    self.isEphemeral = isEphemeral
    self.anchor = anchor
  }

  func start(_ url: URL, answering callback: OneShotCallback) -> Bool {
    let session = ASWebAuthenticationSession(url: url, callback: self.callback) {
      // Not isolated: the system does not document on which thread it calls.
      @Sendable url, error in
      callback.answer(url.map { .success($0) } ?? .failure(.session(error)))
    }
    session.presentationContextProvider = self
    session.prefersEphemeralWebBrowserSession = isEphemeral
    self.session = session
    return session.start()
  }

  func cancel() {
    session?.cancel()
    session = nil
  }
}

extension WebAuthenticationSessionAgent: ASWebAuthenticationPresentationContextProviding {
  func presentationAnchor(for session: ASWebAuthenticationSession) -> ASPresentationAnchor { anchor() }
}

extension AuthenticationError {
  fileprivate static func session(_ error: (any Error)?) -> Self {
    guard let error = error as? ASWebAuthenticationSessionError else { return .notStarted }
    if error.code == .canceledLogin { return .cancelled }
    var failure = AuthenticationError.notStarted
    failure.cause = Cause(domain: "ASWebAuthenticationSessionError", code: error.errorCode)
    return failure
  }
}
#endif
