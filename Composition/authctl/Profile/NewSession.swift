import AuthenticationKit
import Foundation

/// A session that begins: kept in its profile in place of the one before, and told; or ended where it cannot be kept.
extension OpenProfile {
  /// - Parameters:
  ///   - secret: of the profile's client.
  ///   - old: what the profile was before; nil if it is new.
  ///   - isContinued: whether it goes on with a login that was noted.
  ///   - showsContext: whether to say how the user signed in, as the ID token tells (`acr`).
  func keepSession(
    secret: Secret?, replacing old: Profile?, isContinued: Bool = false, showsContext: Bool = false,
    of signIn: () async throws -> User
  ) async throws {
    if !isContinued { try await folder.begin(profile, secret: secret) }
    defer { if root.attempts.current?.state.challenge == nil { folder.endLogin() } }
    let user = try await signIn()
    do {
      if let unsaved = root.manager.state.activeSession?.unsaved { throw unsaved }
      try folder.save(secret, for: profile)
      if old != profile { try folder.save(profile) }
    } catch {
      await end()
      throw error
    }
    var failures: [AuthenticationError] = []
    if let old, !old.sharesSession(with: profile) { failures += await leave(old) }
    report(user, showsContext: showsContext)
    failures += await root.manager.deliverRevocations(within: .seconds(10))
    if await root.manager.hasPendingRevocations, failures.isEmpty { failures.append(.timedOut) }
    if let failure = failures.first { folder.console.say(Self.sentence(onReplaced: failure)) }
  }

  /// A profile has one session: what it had at another service, or kept elsewhere, is ended there. Returns why that
  /// could not be done.
  private func leave(_ old: Profile) async -> [AuthenticationError] {
    do {
      return await (try OpenProfile(old, in: folder)).end()
    } catch {
      return [error as? AuthenticationError ?? .timedOut]
    }
  }

  @discardableResult
  private func end() async -> [AuthenticationError] {
    try? await root.manager.signOut(losing: .anonymousAccount)
    let failures = await root.manager.deliverRevocations(within: .seconds(30))
    guard await root.manager.hasPendingRevocations else {
      try? forgetClientSecret()
      return failures
    }
    return failures.isEmpty ? [.timedOut] : failures
  }

  /// What became of the session that was here before.
  private static func sentence(onReplaced failure: AuthenticationError) -> String {
    let rest =
      failure == .unsupportedMethod
      ? "Its tokens work there until they expire." : "The next command that reaches it tries again."
    return "The session that was here before could not be ended at the provider: \(failure.messageWithCode) \(rest)"
  }

  private func report(_ user: User, showsContext: Bool) {
    let (console, session) = (folder.console, root.manager.state.session)
    let token = session?.accessToken
    // `acr` of the ID token, which was verified when it came (OpenID Connect Core §2).
    let context = session?.tokens.identity.flatMap { JSONMembers(unverified: $0.value) }?["acr"]
    if console.isJSON {
      console.out(json: [
        "event": "signed_in", "user": user.json, "expires_at": token?.expiresAt, "scopes": token?.scopes ?? [],
        "storage": profile.storage, "acr": showsContext ? context : nil,
      ])
    } else {
      let name = [user.name ?? user.id, user.email.map { "<\($0)>" }].compactMap(\.self).joined(separator: " ")
      console.say("Signed in as \(name); the session is kept in: \(profile.storage.rawValue).")
      if let scopes = token?.scopes, !scopes.isEmpty { console.say("Scopes: \(scopes.joined(separator: " "))") }
      if let end = token?.expiresAt { console.say("The access token lasts until \(end.formatted(.iso8601)).") }
      guard showsContext else { return }
      console.say(
        context.map { "How the user signed in, as the issuer says: \($0)" }
          ?? "The issuer does not say how the user signed in (acr).")
    }
  }
}
