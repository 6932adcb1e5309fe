import AuthenticationKit

/// A sign-in that a signal or the time ends, and first of all what it has left behind: a page for the browser, a
/// verifier.
struct LimitedSignIn {
  let root: MainRoot
  /// Seconds, as the person said.
  let timeout: Int?
  /// Seconds, where the person did not say.
  var standardTimeout = 60
  /// Why nobody is signed in when the time is over.
  var lateness = AuthenticationError.timedOut

  func run(_ signIn: @escaping @Sendable () async throws -> User) async throws -> User {
    let interruption = Interruption()
    let attempt = Task { try await signIn() }
    let signal = Task { [signals = interruption.signals] () -> Int32? in
      for await number in signals {
        attempt.cancel()
        return number
      }
      return nil
    }
    let alarm = Task {
      try await Task.sleep(for: .seconds(timeout ?? standardTimeout))
      // Whoever looks for a code gets longer.
      if timeout == nil, root.attempts.current?.state.challenge != nil { try await Task.sleep(for: .seconds(240)) }
      attempt.cancel()
    }
    let result = await attempt.result
    alarm.cancel()
    signal.cancel()
    interruption.end()
    do {
      return try result.get()
    } catch let error as AuthenticationError where error.code == .superseded {
      throw AuthenticationError.loginCancelled
    } catch let error as AuthenticationError where [.cancelled, .challengeRequired].contains(error.code) {
      if error.code == .cancelled { await (root.provider as? SavingFirstProvider)?.signInEnded(within: .seconds(2)) }
      if let number = await signal.value { throw Interrupted(signal: number) }
      throw error.code == .cancelled ? lateness : error
    }
  }
}

/// The process was asked to end while a person signed in.
struct Interrupted: Error {
  let signal: Int32
}

extension AuthenticationError {
  /// Another process of the same profile.
  static let loginCancelled = Self(
    .cancelled, "The login was cancelled: a logout or another login of this profile ended it.",
    suggestion: "Log in again.")
}
