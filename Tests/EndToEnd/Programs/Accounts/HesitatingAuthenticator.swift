import AuthenticationKit
import AuthenticationPasskeys

/// Asks a user that may not answer: the app is killed meanwhile.
struct HesitatingAuthenticator<Upstream: PasskeyAuthenticator>: PasskeyAuthenticator {
  let upstream: Upstream
  let isAnswered: Bool

  func register(_ options: PasskeyCreationOptions) async throws(AuthenticationError) -> PasskeyRegistration {
    try await upstream.register(options)
  }

  func sign(
    _ options: PasskeyRequestOptions, presentation: PasskeyPresentation
  ) async throws(AuthenticationError) -> PasskeyAssertion {
    guard isAnswered else {
      tell("waits", "passkey")
      while !Task.isCancelled { try? await Task.sleep(for: .seconds(1)) }
      throw .cancelled
    }
    return try await upstream.sign(options, presentation: presentation)
  }
}
