public import AuthenticationDomain

/// Chooses the credentials for the new sign-in that a resource asks for; returns nil to let the request fail.
public typealias StepUp =
  @Sendable (AuthenticationRequirements) async throws(AuthenticationError) -> (any Credentials)?

/// Signs the person in again if a resource asks for a more recent or stronger sign-in, then repeats the request once
/// (RFC 9470 §4).
///
/// The resource did not process the request it refused, so that a request of any method is repeated. Requests that are
/// refused for the same reason share one sign-in. Requests that this sign-in itself sends, such as an interceptor's,
/// are not stepped up. If another person is signed in by then, the request is not repeated:
/// ``AuthenticationError/Code/superseded``. With a ``ReauthenticationUseCase`` the credentials of another user change
/// nothing: ``AuthenticationError/Code/userMismatch``.
public struct SteppingUpHTTPClient<Upstream: HTTPClient>: HTTPClient {
  let upstream: Upstream
  let control: any SessionControl
  let stepUps: SharedStepUps

  public func send(_ request: HTTPRequest) async throws(AuthenticationError) -> HTTPResponse {
    let person = control.state.user?.id
    let seen = await stepUps.count
    do throws(AuthenticationError) {
      return try await upstream.send(request)
    } catch {
      guard error.code == .insufficientUserAuthentication, let requirements = error.requirements,
        !SharedStepUps.isSigningIn
      else { throw error }
      guard let current = control.state.user?.id, person ?? current == current else { throw .superseded }
      let wanted = SharedStepUps.Wanted(person: current, requirements: requirements)
      guard try await stepUps.signIn(wanted, after: seen) else { throw error }
      guard control.state.user?.id == current else { throw .superseded }
      return try await upstream.send(request)
    }
  }
}

extension HTTPClient {
  /// Signs in again if a resource asks for it, as ``SteppingUpHTTPClient`` describes.
  ///
  /// - Parameters:
  ///   - control: reports whose session it is.
  ///   - useCase: performs the sign-in, as a ``ReauthenticationUseCase`` if it is one.
  ///   - credentials: chooses the credentials, or returns nil to let the request fail.
  public func steppingUp(
    _ control: any SessionControl, by useCase: any AuthenticationUseCase, credentials: @escaping StepUp
  ) -> SteppingUpHTTPClient<Self> {
    SteppingUpHTTPClient(
      upstream: self, control: control, stepUps: SharedStepUps(useCase: useCase, credentials: credentials))
  }
}
