import ArgumentParser
import AuthenticationDiagnostics
import AuthenticationKit
import AuthenticationOpenID
import Foundation

/// A profile composed into a working root: `authctl`'s own product line of the layers.
struct OpenProfile {
  let profile: Profile
  let root: MainRoot
  let diagnostics = Diagnostics()
  let store: any SessionStore
  private let sender: any HTTPClient
  let folder: ProfileFolder

  /// How long a command waits for a refresh.
  static let callerTimeout = Duration.seconds(60)

  /// - Parameters:
  ///   - clientSecret: where `login` was just told one; by default the one that was kept.
  ///   - page: how the provider's page is shown; nil for a command that signs no user in.
  ///   - adjust: changes an issuer's client for this command alone.
  init(
    _ profile: Profile, in folder: ProfileFolder, clientSecret: Secret? = nil, page: BrowserPage? = nil,
    callerTimeout: Duration = callerTimeout, adjust: @escaping @Sendable (inout OpenIDClient) -> Void = { _ in }
  ) throws {
    let console = folder.console
    let watched = folder.options.verbose ? console : nil
    self.profile = profile
    self.folder = folder
    let storage = try folder.storage(profile.storage)
    let secret = try clientSecret ?? folder.clientSecret(of: profile)
    store = storage.realm(profile.realm).store
    let (allowedOrigins, resources) = (try profile.origins(), try profile.declaredResources())
    let transport = try folder.options.transport(trusting: profile.caFile, console)
    let refreshPolicy = try RefreshPolicy(earlyWindow: nil, callerTimeout: callerTimeout)
    let recorded = diagnostics
    root = try MainRoot(
      try profile.configuration(secret: secret, page: page, registrations: storage.registrations) { client in
        client.onDroppedIDToken = { console.report(droppedIDToken: $0) }
        client.onUnusedUserInfo = { console.report(unusedUserInfo: $0) }
        adjust(&client)
      } onRegistration: {
        console.report(registeredAs: $0, at: $1)
      }
      .savingFirst(in: storage)
    ) {
      $0.record(to: recorded)
      $0.storage = storage
      $0.allowedOrigins = allowedOrigins
      $0.resources = resources
      $0.providerTransport = transport
      $0.refreshPolicy = refreshPolicy
    }
    if let watched {
      // Another process refreshes the session: one that is stopped keeps this one waiting.
      Task.detached { [events = root.manager.events()] in
        for await event in events where event.name == .lockWait {
          watched.say("Waiting for another process that refreshes this session.")
        }
      }
    }
    sender = try folder.options.transport(trusting: profile.caFile, console, maximumBodySize: 64 << 20)
      .proving(with: root.proof).limited(to: root.pathLimit).followRedirects()
  }

  /// Sends the caller's request as it is: a 403 is a response here, not an error. The token is that of the resource
  /// whose origin the URL has, else the session's own.
  func client(for url: URL) throws(AuthenticationError) -> any HTTPClient {
    guard let resource = resource(at: Origin(url)) else {
      return sender.authorized(by: root.manager, for: root.allowedOrigins, throwsRefusals: false)
        .limited(to: root.pathLimit)
    }
    return sender.authorized(
      by: try root.manager.source(for: resource.key), for: resource.value, throwsRefusals: false)
  }

  /// Whether the provider gets access tokens for further resources.
  var getsResourceTokens: Bool {
    (root.provider as? SavingFirstProvider)?.upstream.part((any ResourceAuthProvider).self) != nil
  }

  /// The resource whose token may be sent to an origin; nil if that is the session's own, or none.
  func resource(at origin: Origin?) -> (key: ProtectedResource, value: Set<Origin>)? {
    let declared = (try? profile.declaredResources()) ?? [:]
    return origin.flatMap { origin in declared.first { $0.value.contains(origin) } }
  }

  /// The profile that `login` saved; throws ``AuthenticationError/notSignedIn`` where there is none.
  static func saved(
    _ options: ProfileOptions, console: Console, callerTimeout: Duration = callerTimeout
  ) throws -> OpenProfile {
    let folder = ProfileFolder(options, console)
    return try OpenProfile(folder.saved(), in: folder, callerTimeout: callerTimeout)
  }

  /// The issuer the profile signs in at; nil where it is none.
  var issuer: (any OpenIDServices)? { root.provider.openID }

  /// The issuer's name for itself, where that does not depend on the user.
  var issuerIdentifier: String? {
    let provider = issuer as? OpenIDConnectProvider
    return provider?.tenants == nil ? provider?.discoveredIssuer : nil
  }

  /// Runs a command, then delivers the revocations of earlier sign-outs, also where no user is signed in. Once none is
  /// left after a sign-out, the client's secret is removed, too.
  func deliveringAfterwards<Answer>(
    within limit: Duration = .seconds(5), _ command: () async throws -> Answer
  ) async throws -> Answer {
    let answer: Result<Answer, any Error>
    do {
      answer = .success(try await Interruption.draining(root.manager, folder.console, command))
    } catch let interrupted as Interrupted {
      throw interrupted
    } catch {
      answer = .failure(error)
    }
    await root.manager.deliverRevocations(within: limit)
    await diagnostics.keep()
    if case .signedOut = root.manager.state, await !root.manager.hasPendingRevocations { try? forgetClientSecret() }
    return try answer.get()
  }

  /// For a session that is over, at the provider too.
  func forgetClientSecret() throws(AuthenticationError) { try folder.forgetClientSecret(of: profile) }
}

/// A session that begins: kept in its profile in place of the one before, and told; or ended where it cannot be kept.
extension OpenProfile {
  /// - Parameters:
  ///   - secret: of the profile's client.
  ///   - old: the earlier profile; nil if it is new.
  ///   - isContinued: whether it continues a login that was noted.
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
    if let old, !old.sharesSession(with: profile) { failures += await Self.leave(old, in: folder) }
    report(user, showsContext: showsContext)
    failures += await root.manager.deliverRevocations(within: .seconds(10))
    await diagnostics.keep()
    if await root.manager.hasPendingRevocations, failures.isEmpty { failures.append(.timedOut) }
    Self.report(onReplaced: failures, folder.console)
  }

  /// A profile has one session: one at another service, or kept elsewhere, is ended there. Returns why that
  /// could not be done.
  static func leave(_ old: Profile, in folder: ProfileFolder) async -> [AuthenticationError] {
    do {
      if old.isService {
        guard try folder.clientSecret(of: old) != nil else { return [] }
        try await ServiceProfile(old, in: folder).end()
        return []
      }
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

  /// Reports the fate of the session that was here before.
  static func report(onReplaced failures: [AuthenticationError], _ console: Console) {
    guard let failure = failures.first else { return }
    let rest =
      failure == .unsupportedMethod
      ? "Its tokens work there until they expire." : "The next command that reaches it tries again."
    console.say(
      "The session that was here before could not be ended at the provider: \(failure.messageWithCode) \(rest)")
  }

  private func report(_ user: User, showsContext: Bool) {
    let (console, session) = (folder.console, root.manager.state.session)
    let token = session?.accessToken
    console.report(omittedClaimsOf: user)
    // `acr` of the ID token, which was verified when it came (OpenID Connect Core §2).
    let context = session?.tokens.identity.flatMap { JSONMembers(unverified: $0) }?["acr"]
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

extension AuthManager {
  /// Sends the revocations of earlier sign-outs, and returns why it could not; one that takes longer than the limit is
  /// for a later command.
  @discardableResult
  func deliverRevocations(within limit: Duration) async -> [AuthenticationError] {
    let failures = try? await AbandonableCall().run(within: limit) { _ in await self.deliverRevocations() }
    return failures ?? []
  }
}

/// How a provider's page is shown, and where the browser returns to.
struct BrowserPage: Sendable {
  let presenter: any AuthorizationPresenter
  let redirect: RedirectURI
}

/// How this program is registered, at an issuer or at another provider.
struct ClientOptions: ParsableArguments {
  @Option(name: .customLong("client-id"), help: "The client id that the provider gave this program.")
  var clientID: String?

  @Option(help: "A file with the client's secret, where it has one.")
  var clientSecretFile: String?

  @Option(help: "The API the token is for, where the provider asks for it.")
  var audience: String?

  /// Whether anything was named.
  var isUsed: Bool { clientID != nil || clientSecretFile != nil || audience != nil }

  func secret(_ console: Console) throws -> Secret? {
    try clientSecretFile.map { try ClientSecretFile(path: $0).read(console) }
  }
}
