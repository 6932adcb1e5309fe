import AuthenticationKit

/// An app that knows no vendor: one line names its provider, where it is made.
struct SampleApp {
  let root: MainRoot

  init(
    _ provider: AuthProviderConfiguration, clock: any AuthenticationClock, transport: (any HTTPClient)? = nil
  ) throws(AuthenticationError) {
    root = try MainRoot(provider) {
      $0.storage = .inMemory
      $0.clock = clock
      $0.providerTransport = transport
      $0.refreshPolicy = .onDemand
    }
  }

  /// One attempt: enters the inputs of the method and nothing else, and answers each step.
  ///
  /// - Returns: where it stands when neither user nor provider has anything left to do.
  func signIn(by method: SignInMethod, as user: SampleUser) async throws -> SignInAttempt.State {
    let attempt = try root.attempts.begin(method)
    let asked = user.fields.filter { method.needs.contains($0.key) }
    attempt.submit(SignInInput(asked, attributes: user.attributes))
    if method.needs.contains(.anotherDevice) { await user.actElsewhere() }
    while case .challenged(let challenge, nil) = await attempt.finished() {
      attempt.answer(ChallengeAnswer(to: challenge, try user.answer(challenge)))
    }
    return attempt.state
  }

  /// The life of a session: in by the first method with a form or a page, an hour later, and out.
  ///
  /// - Returns: the steps that a user would have seen.
  func live(as user: SampleUser, lettingPass hour: () -> Void) async throws -> [String] {
    let usual: Set<SignInMethod.Need> = [.userName, .password, .browser]
    guard let method = root.methods.first(where: { !$0.needs.isEmpty && usual.isSuperset(of: $0.needs) }) else {
      return ["no way in"]
    }
    var seen = [try await signIn(by: method, as: user).isEnded ? "signed in" : "not signed in"]
    let first = try await root.manager.validSession()
    hour()
    let second = try await root.manager.validSession()
    seen.append(first.accessToken.value == second.accessToken.value ? "the same token" : "a new token")
    seen.append(second.user.id == root.currentUser?.id ? "the same user" : "another user")
    try await root.manager.signOut()
    seen.append(await root.manager.deliverRevocations().isEmpty ? "signed out there" : "signed out here alone")
    seen.append(root.currentUser == nil ? "signed out here" : "still here")
    return seen
  }
}

/// The user of the app, with names, codes and devices.
struct SampleUser: Sendable {
  var fields: [SignInMethod.Need: String]
  var attributes: [String: Secret] = [:]
  var answer: @Sendable (Challenge) throws -> ChallengeAnswer.Content = { _ in throw NothingAtHand() }
  var actElsewhere: @Sendable () async -> Void = {}

  struct NothingAtHand: Error {}
}
