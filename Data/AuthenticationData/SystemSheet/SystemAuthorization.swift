#if canImport(AuthenticationServices)
package import AuthenticationDomain
package import AuthenticationServices
import Foundation

#if os(watchOS)
/// Nothing: watchOS asks over the app as it is.
package typealias SystemAnchor = @MainActor @Sendable () -> Void
#else
/// The window over which the system asks.
package typealias SystemAnchor = @MainActor @Sendable () -> ASPresentationAnchor
#endif

/// One request to the system, for a passkey or an Apple Account. Leaving the call takes the request back; on watchOS
/// the system's sheet stays.
@MainActor
package final class SystemAuthorization: NSObject {
  private let anchor: SystemAnchor
  private let describe: @MainActor @Sendable (any Error) -> AuthenticationError
  private var controller: ASAuthorizationController?
  private var finish: (@MainActor (Result<any ASAuthorizationCredential, AuthenticationError>) -> Void)?

  /// - Parameters:
  ///   - anchor: the window over which to ask.
  ///   - describe: the system's error, without its text, which may name accounts.
  package init(
    over anchor: @escaping SystemAnchor,
    describing describe: @escaping @MainActor @Sendable (any Error) -> AuthenticationError
  ) {
    self.anchor = anchor
    self.describe = describe
  }

  /// - Parameters:
  ///   - start: shows it; by default in a sheet.
  ///   - read: reads the system's result.
  package func perform<Response: Sendable>(
    _ request: ASAuthorizationRequest,
    start: @MainActor (ASAuthorizationController) -> Void = { $0.performRequests() },
    reading read: @escaping @MainActor (any ASAuthorizationCredential) throws(AuthenticationError) -> Response
  ) async throws(AuthenticationError) -> Response {
    let controller = ASAuthorizationController(authorizationRequests: [request])
    controller.delegate = self
    #if !os(watchOS)
    controller.presentationContextProvider = self
    #endif
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
    #if !os(watchOS)
    controller?.cancel()
    #endif
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

#if !os(watchOS)
extension SystemAuthorization: ASAuthorizationControllerPresentationContextProviding {
  package func presentationAnchor(for controller: ASAuthorizationController) -> ASPresentationAnchor { anchor() }
}
#endif
#endif
