// watchOS and tvOS have no window over which to ask.
#if canImport(AuthenticationServices) && !os(watchOS) && !os(tvOS)
package import AuthenticationDomain
package import AuthenticationServices
import Foundation

/// One request to the system, for a passkey or an Apple Account. Leaving the call takes the request back.
@MainActor
package final class SystemAuthorization: NSObject {
  private let anchor: @MainActor @Sendable () -> ASPresentationAnchor
  private let describe: @MainActor @Sendable (any Error) -> AuthenticationError
  private var controller: ASAuthorizationController?
  private var finish: (@MainActor (Result<any ASAuthorizationCredential, AuthenticationError>) -> Void)?

  /// - Parameters:
  ///   - anchor: the window over which to ask.
  ///   - describe: what the system says, without its words: they may name accounts.
  package init(
    over anchor: @escaping @MainActor @Sendable () -> ASPresentationAnchor,
    describing describe: @escaping @MainActor @Sendable (any Error) -> AuthenticationError
  ) {
    self.anchor = anchor
    self.describe = describe
  }

  /// - Parameters:
  ///   - start: shows it; by default in a sheet.
  ///   - read: what is taken of the system's answer.
  package func perform<Response: Sendable>(
    _ request: ASAuthorizationRequest,
    start: @MainActor (ASAuthorizationController) -> Void = { $0.performRequests() },
    reading read: @escaping @MainActor (any ASAuthorizationCredential) throws(AuthenticationError) -> Response
  ) async throws(AuthenticationError) -> Response {
    let controller = ASAuthorizationController(authorizationRequests: [request])
    controller.delegate = self
    controller.presentationContextProvider = self
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { (caller: CheckedContinuation<Result<Response, AuthenticationError>, Never>) in
        finish = { outcome in
          do throws(AuthenticationError) {
            caller.resume(returning: .success(try read(try outcome.get())))
          } catch {
            caller.resume(returning: .failure(error))
          }
        }
        guard !Task.isCancelled else { return cancel() }
        self.controller = controller
        start(controller)
      }
    } onCancel: {
      Task { @MainActor in cancel() }
    }
    return try result.get()
  }

  /// Takes the request back; its caller gets ``AuthenticationError/cancelled``.
  package func cancel() {
    controller?.cancel()
    end(.failure(.cancelled))
  }

  private func end(_ outcome: Result<any ASAuthorizationCredential, AuthenticationError>) {
    let finish = finish
    (self.finish, controller) = (nil, nil)
    finish?(outcome)
  }
}

extension SystemAuthorization: ASAuthorizationControllerDelegate {
  package func authorizationController(
    controller: ASAuthorizationController, didCompleteWithAuthorization authorization: ASAuthorization
  ) {
    end(.success(authorization.credential))
  }

  package func authorizationController(controller: ASAuthorizationController, didCompleteWithError error: any Error) {
    end(.failure(describe(error)))
  }
}

extension SystemAuthorization: ASAuthorizationControllerPresentationContextProviding {
  package func presentationAnchor(for controller: ASAuthorizationController) -> ASPresentationAnchor { anchor() }
}
#endif
