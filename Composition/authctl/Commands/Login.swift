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

  @Option(
    help: "An origin, besides the provider's, that `request` may send the token to. Repeatable.",
    transform: AllowedOrigin.text)
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
    let needsPlace = other.client.isUsed || openID.namesPage
    guard openID.issuer != nil || other.provider != nil || continues || !needsPlace else {
      throw ValidationError("This way to sign in needs an --issuer.")
    }
    try openID.validate(with: other.client)
    if passwordStdin, other.client.clientSecretFile.map(ClientSecretFile.init)?.isStandardInput == true {
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
      if other.client.clientID == nil { throw ValidationError("An --issuer needs a --client-id.") }
    case (nil, true): break
    case (nil, false):
      throw ValidationError("Where to sign in is missing: --issuer, or --provider with its options.")
    }
  }

  /// What the provider wants before it signs the user in is a rejection, unless only a session that exists was asked for.
  func status(of error: AuthenticationError) -> ExitStatus {
    let isSilent = openID.page.prompt == "none"
    let isUnready = error.code == .insufficientUserAuthentication && !isSilent
    // Not by the user at this terminal.
    let isOvertaken = error.code == .cancelled && error.message == AuthenticationError.loginCancelled.message
    return isUnready || isOvertaken ? .rejected : ExitStatus(error)
  }

  func perform(on console: Console) async throws {
    if openID.issuer != nil, let method { return try await following(method).perform(on: console) }
    let folder = ProfileFolder(options.profile)
    let old = try folder.loadSettingAside()
    try old?.checkNothingIsLost(in: folder, options: options, console: console)
    let profile = try profile(in: folder, old, console)
    try folder.checkSaving(profile.storage)
    let secret = try continues ? folder.begunClientSecret(of: profile) : other.client.secret(console)
    let parameters = try openID.page.parameters()
    let opened = try OpenProfile(
      profile, in: folder, options: options, console: console, clientSecret: secret, page: page(console)
    ) { client in
      client.parameters = parameters
      client.bindsTokens = openID.dpop
      if openID.page.noConsent { client.asksConsentForOfflineAccess = false }
    }
    let way = try way(of: opened.root, profile, console)
    if !continues { try await folder.begin(profile, secret: secret, options: options, console: console) }
    defer { if opened.root.attempts.current?.state.challenge == nil { folder.endLogin() } }
    let user = try await signIn(opened.root, way, console)
    let showsContext = openID.page.asksForContext
    try await NewSession(
      opened: opened, folder: folder, options: options, console: console, showsContext: showsContext
    )
    .keep(user, secret: secret, replacing: old)
  }

  private func profile(in folder: ProfileFolder, _ old: Profile?, _ console: Console) throws -> Profile {
    if continues {
      guard let begun = folder.begunLogin() else { throw AuthenticationError.nothingPending }
      return begun
    }
    let storage = options.storage ?? old?.storage ?? .best(telling: console)
    return Profile(
      provider: openID.issuer == nil ? other.kind.name : "openid", settings: other.settings,
      openID: registration, allowedOrigins: allowOrigin, storage: storage)
  }

  /// How the client is registered at an issuer; nil at another provider.
  var registration: OpenIDRegistration? { openID.registration(of: other.client) }

  private func signIn(_ root: MainRoot, _ way: Way, _ console: Console) async throws -> User {
    let waitsForPerson = openID.issuer == nil ? way.isElsewhere : openID.flow != .password
    let limits = LimitedSignIn(
      root: root, timeout: timeout, standardTimeout: waitsForPerson ? 300 : 60, lateness: lateness)
    do {
      return try await limits.run {
        switch way {
        case .credentials(let credentials): try await root.manager.signIn(with: credentials)
        case .attempt(let method, let input):
          try await SignInDialogue(console: console).signIn(at: root, (method, input))
        case .pending: try await SignInDialogue(console: console).signIn(at: root, nil)
        }
      }
    } catch let interrupted as Interrupted {
      if way.showsPage { console.say("authctl: \(interruption)") }
      throw interrupted
    } catch let error as AuthenticationError where error.isWithoutDeviceEndpoint {
      throw ValidationError(withoutDevices)
    }
  }
}
