import AuthenticationAccount
import AuthenticationDomain

/// The error of a call; nil where it returned.
func failure<Value>(of call: () async throws -> Value) async -> AuthenticationError? {
  do {
    _ = try await call()
    return nil
  } catch {
    return error as? AuthenticationError
  }
}

extension SignInOutcome {
  var session: AuthSession? { if case .session(let session) = self { session } else { nil } }
  var challenge: Challenge? { if case .challenge(let challenge) = self { challenge } else { nil } }
}

extension AccountOutcome {
  var session: AuthSession? { if case .session(let session) = self { session } else { nil } }
  var challenge: Challenge? { if case .challenge(let challenge) = self { challenge } else { nil } }
}
