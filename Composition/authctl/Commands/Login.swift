import ArgumentParser
import AuthenticationKit
import AuthenticationOpenID
import Foundation

struct Login: Command {
  static let configuration = CommandConfiguration(
    abstract: "Sign in and keep the session.",
    discussion: "With --issuer at any OpenID Connect or OAuth 2.1 issuer, with --provider at what has its own way.")

  @OptionGroup(title: "At a provider of another kind") var other: ProviderOptions

  @OptionGroup(title: "At an issuer") var openID: OpenIDOptions

  @Option(help: "An origin, besides the provider's, that `request` may send the token to. Repeatable.")
  var allowOrigin: [String] = []

  @Option(help: "The user name; asked for where it is needed and missing.")
  var username: String?

  @Flag(help: "Read the password from standard input, one line.")
  var passwordStdin = false

  @Option(help: "How many seconds to wait; by default 60, where a person must act elsewhere 300.")
  var timeout: Int?

  @Option(help: "How to sign in: one of what `methods` lists. By default the provider's first.")
  var method: String?

  @Flag(name: .customLong("continue"), help: "Go on with the step that a login before left waiting.")
  var continues = false

  @Flag(help: "Print an event a line, as JSON.")
  var json = false

  @OptionGroup var options: ProfileOptions

  func validate() throws {
    if let timeout, !(1...86_400).contains(timeout) {
      throw ValidationError("--timeout is a number of seconds, at least 1 and at most a day.")
    }
    if passwordStdin, openID.clientSecretFile.map(ClientSecretFile.init)?.isStandardInput == true {
      throw ValidationError("Standard input holds the password or the client's secret, not both.")
    }
    if continues {
      guard openID.issuer == nil, !other.isUsed, method == nil else {
        throw ValidationError("--continue goes on with what was begun: it takes no provider and no method.")
      }
      return
    }
    switch (openID.issuer, other.isUsed) {
    case (.some, true): throw ValidationError("Name an --issuer or a --provider with its options, not both.")
    case (.some, false):
      if openID.clientID == nil { throw ValidationError("An --issuer needs a --client-id.") }
    case (nil, true): break
    case (nil, false):
      throw ValidationError("Where to sign in is missing: --issuer, or --provider with its options.")
    }
  }

  func perform(on console: Console) async throws {
    if openID.issuer != nil, let method { return try await following(method).perform(on: console) }
    let folder = ProfileFolder(options.profile)
    let old = try folder.loadSettingAside()
    let profile = try profile(in: folder, old, console)
    try folder.checkSaving(profile.storage)
    let secret = try openID.clientSecret(console)
    let parameters = try openID.page.parameters()
    let opened = try OpenProfile(
      profile, in: folder, options: options, console: console, clientSecret: secret
    ) { client in
      client.presenter = presenter(console)
      client.parameters = parameters
      client.bindsTokens = openID.dpop
    }
    let way = try way(of: opened.root, profile, console)
    if !continues { try await folder.begin(profile, options: options, console: console) }
    defer { if opened.root.attempts.current?.state.challenge == nil { folder.endLogin() } }
    let user = try await signIn(opened.root, way, console)
    do {
      if let unsaved = opened.root.manager.state.activeSession?.unsaved { throw unsaved }
      try folder.save(secret, for: profile)
      if old != profile { try folder.save(profile) }
    } catch {
      await end(opened)
      throw error
    }
    var failures: [AuthenticationError] = []
    if let old, !old.sharesSession(with: profile) { failures += await leave(old, in: folder, console) }
    report(user, opened, console)
    failures += await opened.root.manager.deliverRevocations(within: .seconds(10))
    if await opened.root.manager.hasPendingRevocations, failures.isEmpty { failures.append(.timedOut) }
    if let failure = failures.first { console.say(Self.sentence(onReplaced: failure)) }
  }

  private func profile(in folder: ProfileFolder, _ old: Profile?, _ console: Console) throws -> Profile {
    if continues {
      guard let begun = folder.begunLogin() else { throw AuthenticationError.nothingPending }
      return begun
    }
    let storage = options.storage ?? old?.storage ?? .best(telling: console)
    return Profile(
      provider: openID.issuer == nil ? other.kind.name : "openid", settings: other.settings,
      openID: openID.registration, allowedOrigins: allowOrigin, storage: storage)
  }

  /// A signal ends the attempt first, and what it has left behind: a page for the browser, a verifier.
  private func signIn(_ root: MainRoot, _ way: Way, _ console: Console) async throws -> User {
    let attempt = Task {
      switch way {
      case .credentials(let credentials): try await root.manager.signIn(with: credentials)
      case .attempt(let method, let input):
        try await SignInDialogue(console: console, json: json).signIn(at: root, (method, input))
      case .pending: try await SignInDialogue(console: console, json: json).signIn(at: root, nil)
      }
    }
    let interruption = Interruption()
    let signal = Task { [signals = interruption.signals] () -> Int32? in
      for await number in signals {
        attempt.cancel()
        return number
      }
      return nil
    }
    let alarm = Task {
      try await Task.sleep(for: .seconds(timeout ?? (openID.issuer != nil && openID.flow != .password ? 300 : 60)))
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
    } catch let error as AuthenticationError where [.cancelled, .challengeRequired].contains(error.code) {
      await (root.provider as? SavingFirstProvider)?.signInEnded(within: .seconds(2))
      if let number = await signal.value { throw Interrupted(signal: number) }
      throw error.code == .cancelled ? lateness : error
    }
  }

  /// A profile has one session: what it had at another service, or kept elsewhere, is ended there. Answers why that
  /// could not be done.
  private func leave(_ old: Profile, in folder: ProfileFolder, _ console: Console) async -> [AuthenticationError] {
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

  private func report(_ user: User, _ opened: OpenProfile, _ console: Console) {
    let token = opened.root.manager.state.session?.accessToken
    if json {
      console.out(
        json: SignedInEvent(
          user: UserOutput(user), expires_at: token?.expiresAt, scopes: token?.scopes ?? [],
          storage: opened.profile.storage))
    } else {
      let person = [user.name ?? user.id, user.email.map { "<\($0)>" }].compactMap(\.self).joined(separator: " ")
      console.say("Signed in as \(person); the session is kept in: \(opened.profile.storage.rawValue).")
      if let scopes = token?.scopes, !scopes.isEmpty { console.say("Scopes: \(scopes.joined(separator: " "))") }
      if let end = token?.expiresAt { console.say("The access token lasts until \(end.formatted(.iso8601)).") }
    }
  }
}

/// The process was asked to end while a person signed in.
struct Interrupted: Error {
  let signal: Int32
}

private struct SignedInEvent: Encodable {
  let event = "signed_in"
  let user: UserOutput
  let expires_at: Date?
  let scopes: [String]
  let storage: StorageKind
}
