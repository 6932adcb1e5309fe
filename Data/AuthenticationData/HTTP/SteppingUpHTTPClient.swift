public import AuthenticationDomain

/// Chooses the credentials with which a person signs in again as a resource asks; nil where the request shall fail.
public typealias StepUp =
  @Sendable (AuthenticationRequirements) async throws(AuthenticationError) -> (any Credentials)?

/// Signs the person in again where a resource asks for a more recent or stronger sign-in, then repeats the request
/// once (RFC 9470 §4).
///
/// The resource did not process the request it refused, so that any method is repeated. Requests that are refused at
/// once share one sign-in. Another person's sign-in repeats nothing: ``AuthenticationError/Code/superseded``.
public struct SteppingUpHTTPClient<Upstream: HTTPClient>: HTTPClient {
  let upstream: Upstream
  let stepUps: SharedStepUps

  public func send(_ request: HTTPRequest) async throws(AuthenticationError) -> HTTPResponse {
    let seen = await stepUps.count
    do throws(AuthenticationError) {
      return try await upstream.send(request)
    } catch {
      guard let requirements = error.requirements, try await stepUps.signIn(requirements, after: seen) else {
        throw error
      }
      return try await upstream.send(request)
    }
  }
}

extension HTTPClient {
  /// Signs in again through `manager` where a resource asks for it, as ``SteppingUpHTTPClient`` says.
  public func steppingUp(
    with manager: some SessionSource & AuthenticationUseCase, credentials: @escaping StepUp
  ) -> SteppingUpHTTPClient<Self> {
    SteppingUpHTTPClient(upstream: self, stepUps: SharedStepUps(manager: manager, credentials: credentials))
  }
}

/// One sign-in at a time for all the requests that were refused for the same reason.
actor SharedStepUps {
  private let manager: any SessionSource & AuthenticationUseCase
  private let credentials: StepUp
  private var running: [AuthenticationRequirements: Task<Result<Bool, AuthenticationError>, Never>] = [:]
  /// How many sign-ins succeeded.
  private(set) var count = 0

  init(manager: any SessionSource & AuthenticationUseCase, credentials: @escaping StepUp) {
    self.manager = manager
    self.credentials = credentials
  }

  /// False where nobody shall sign in again.
  func signIn(_ requirements: AuthenticationRequirements, after seen: Int) async throws(AuthenticationError) -> Bool {
    if seen < count { return true }
    if let task = running[requirements] { return try await task.value.get() }
    let task = Task { await result(requirements) }
    running[requirements] = task
    defer { running[requirements] = nil }
    return try await task.value.get()
  }

  private func result(_ requirements: AuthenticationRequirements) async -> Result<Bool, AuthenticationError> {
    do throws(AuthenticationError) {
      guard let credentials = try await credentials(requirements) else { return .success(false) }
      let person = try await manager.validSession(rejecting: nil).user.id
      let user = try await manager.signIn(with: credentials)
      guard user.id == person else { return .failure(.superseded) }
      count += 1
      return .success(true)
    } catch {
      return .failure(error)
    }
  }
}
