import AuthenticationKit
import Foundation

/// A session that has just begun: kept in its profile in place of the one before, and told; or ended where it cannot be
/// kept.
struct NewSession {
  let opened: OpenProfile
  let folder: ProfileFolder
  let options: ProfileOptions
  let console: Console
  /// Whether to say how the user signed in, as the ID token tells (`acr`).
  var showsContext = false

  /// - Parameters:
  ///   - secret: of the profile's client.
  ///   - old: what the profile was before; nil if it is new.
  func keep(_ user: User, secret: Secret?, replacing old: Profile?) async throws {
    let (manager, profile) = (opened.root.manager, opened.profile)
    do {
      if let unsaved = manager.state.activeSession?.unsaved { throw unsaved }
      try folder.save(secret, for: profile)
      if old != profile { try folder.save(profile) }
    } catch {
      await end(opened)
      throw error
    }
    var failures: [AuthenticationError] = []
    if let old, !old.sharesSession(with: profile) { failures += await leave(old) }
    report(user)
    failures += await manager.deliverRevocations(within: .seconds(10))
    if await manager.hasPendingRevocations, failures.isEmpty { failures.append(.timedOut) }
    if let failure = failures.first { console.say(Self.sentence(onReplaced: failure)) }
  }

  /// A profile has one session: what it had at another service, or kept elsewhere, is ended there. Returns why that
  /// could not be done.
  private func leave(_ old: Profile) async -> [AuthenticationError] {
    do {
      return await end(try OpenProfile(old, in: folder, options: options, console: console))
    } catch {
      return [error as? AuthenticationError ?? .timedOut]
    }
  }

  @discardableResult
  private func end(_ opened: OpenProfile) async -> [AuthenticationError] {
    let manager = opened.root.manager
    try? await manager.signOut(losing: .anonymousAccount)
    let failures = await manager.deliverRevocations(within: .seconds(30))
    guard await manager.hasPendingRevocations else {
      try? opened.forgetClientSecret()
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

  private func report(_ user: User) {
    let token = opened.root.manager.state.session?.accessToken
    if console.isJSON {
      console.out(json: [
        "event": "signed_in", "user": user.json, "expires_at": token?.expiresAt, "scopes": token?.scopes ?? [],
        "storage": opened.profile.storage, "acr": showsContext ? context : nil,
      ])
    } else {
      let name = [user.name ?? user.id, user.email.map { "<\($0)>" }].compactMap(\.self).joined(separator: " ")
      console.say("Signed in as \(name); the session is kept in: \(opened.profile.storage.rawValue).")
      if let scopes = token?.scopes, !scopes.isEmpty { console.say("Scopes: \(scopes.joined(separator: " "))") }
      if let end = token?.expiresAt { console.say("The access token lasts until \(end.formatted(.iso8601)).") }
      guard showsContext else { return }
      console.say(
        context.map { "How the user signed in, as the issuer says: \($0)" }
          ?? "The issuer does not say how the user signed in (acr).")
    }
  }

  /// `acr` of the ID token, which was verified when it came (OpenID Connect Core §2).
  private var context: String? {
    let identity = opened.root.manager.state.session?.tokens.identity
    return identity.flatMap { JSONMembers(unverified: $0.value) }?["acr"]
  }
}
