package import AuthenticationDomain

/// Runs one sign-in at a time; requests of one user that were refused for the same reason share a sign-in.
///
/// A sign-in runs in a separate task, which is cancelled when the last caller that wants it leaves.
package actor SharedStepUps {
  struct Wanted: Hashable, Sendable {
    let user: User
    let requirements: AuthenticationRequirements

    /// A demand that a user is asked for a limited number of times; a claims challenge is another one each time. Nil
    /// for how the user signs in (RFC 9470), which a resource may ask for again.
    var limited: Wanted? {
      if requirements.scopes.isEmpty, requirements.claims == nil { return nil }
      return Wanted(
        user: user,
        requirements: AuthenticationRequirements(
          scopes: requirements.scopes, claims: requirements.claims.map { _ in "" }))
    }
  }

  /// Whether this call is made by a running sign-in, which it therefore cannot wait for.
  @TaskLocal static var isSigningIn = false

  private typealias Outcome = Result<Bool, AuthenticationError>

  private struct Running {
    let wanted: Wanted
    let task: Task<Outcome, Never>
    /// The callers that want this sign-in; others only wait for its end.
    var callers = 0
  }

  private let control: any SessionControl
  private let useCase: any AuthenticationUseCase
  private let credentials: StepUp
  private var running: Running?
  /// The value of ``count`` after the last success, for each wanted sign-in.
  private var succeeded: [Wanted: Int] = [:]
  /// How many sign-ins succeeded.
  private(set) var count = 0
  /// How often the user was asked for each limited sign-in that has not helped yet.
  private var tries: [Wanted: Int] = [:]

  private static let maximumTries = 3

  package init(
    _ control: any SessionControl, useCase: any AuthenticationUseCase, credentials: @escaping StepUp
  ) {
    self.control = control
    self.useCase = useCase
    self.credentials = credentials
  }

  /// Signs in, or waits for the sign-in that runs.
  ///
  /// - Parameter seen: the count before the request that was refused: a later sign-in for the same reason is enough.
  /// - Returns: false if there are no credentials to sign in with, or if sign-ins have not helped before.
  func signIn(_ wanted: Wanted, after seen: Int) async throws(AuthenticationError) -> Bool {
    while succeeded[wanted, default: 0] <= seen {
      if let limited = wanted.limited, tries[limited, default: 0] >= Self.maximumTries { return false }
      let current = running ?? Running(wanted: wanted, task: Task { await run(wanted) })
      if running == nil { running = current }
      let joins = current.wanted == wanted && !current.task.isCancelled
      if joins { running?.callers += 1 }
      defer { if joins { leave(current.task) } }
      let outcome = try await AbandonableCall<Outcome>.run { await current.task.value }
      if joins { return try outcome.get() }
    }
    return true
  }

  /// Whether the request that was repeated after a sign-in succeeded.
  func note(_ wanted: Wanted, hasHelped: Bool) {
    if let limited = wanted.limited { tries[limited] = hasHelped ? nil : Self.maximumTries }
  }

  private func leave(_ task: Task<Outcome, Never>) {
    guard running?.task == task else { return }
    running?.callers -= 1
    if running?.callers == 0 { task.cancel() }
  }

  private func run(_ wanted: Wanted) async -> Outcome {
    if let limited = wanted.limited { tries[limited, default: 0] += 1 }
    let outcome = await Self.$isSigningIn.withValue(true) { await result(wanted) }
    if case .success(true) = outcome {
      count += 1
      succeeded[wanted] = count
    }
    running = nil
    return outcome
  }

  private func result(_ wanted: Wanted) async -> Outcome {
    let named = wanted.requirements
    // A sign-in replaces the scopes of the session: they accumulate.
    let granted = control.state.session?.accessToken.scopes ?? []
    let scopes = named.scopes.isEmpty ? [] : granted + named.scopes.filter { !granted.contains($0) }
    let requirements = AuthenticationRequirements(
      acrValues: named.acrValues, maxAge: named.maxAge, scopes: scopes, claims: named.claims)
    do throws(AuthenticationError) {
      guard let credentials = try await credentials(requirements) else { return .success(false) }
      let user = try await useCase.reauthenticate(as: wanted.user, with: credentials)
      return user.isSame(as: wanted.user) ? .success(true) : .failure(.superseded)
    } catch {
      return .failure(error)
    }
  }
}
