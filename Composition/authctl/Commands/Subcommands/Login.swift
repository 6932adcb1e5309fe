import ArgumentParser
import AuthenticationFirebase
import AuthenticationKit
import AuthenticationOpenID
import Foundation

struct Login: Command {
  static let configuration = CommandConfiguration(
    commandName: "login", abstract: "Sign in and keep the session.",
    discussion: "With --issuer at any OpenID Connect or OAuth 2.1 issuer, with --provider at what has its own way.")

  @OptionGroup(title: "At a provider of another kind") var other: ProviderOptions

  @OptionGroup(title: "At an issuer") var openID: OpenIDOptions

  @Option(
    help: "An origin, besides the provider's, that `request` may send the token to. Repeatable.",
    transform: Self.origin)
  var allowOrigin: [String] = []

  @Option(
    help: ArgumentHelp(
      """
      A further API, whose token comes from the same session, and the one origin where that may be sent. Repeatable.
      """, valueName: "uri=origin"), transform: ProfileResource.init(typed:))
  var resource: [ProfileResource] = []

  @Option(help: "The user name; asked for where it is needed and missing.")
  var username: String?

  @Flag(help: "Read the password from standard input, one line.")
  var passwordStdin = false

  @Option(help: "How many seconds to wait; by default 60, where a user must act elsewhere 300.")
  var timeout: Int?

  @Option(help: "How to sign in: one of what `methods` lists. By default the provider's first.")
  var method: String?

  @Flag(name: .customLong("continue"), help: "Go on with the step that a login before left waiting.")
  var continues = false

  @Flag(help: "Print an event a line, as JSON.")
  var json = false

  @OptionGroup var options: ProfileOptions

  /// The text, if it is an origin and no more: the token goes to all of it, so that a path would promise too much.
  fileprivate static func origin(_ text: String) throws -> String {
    guard let url = URL(string: text), Origin(url)?.isSecure == true, ["", "/"].contains(url.path()),
      url.query() == nil, url.fragment() == nil
    else { throw ValidationError("It is written like https://api.example.com, and http is for this machine only.") }
    return text
  }

  func validate() throws {
    try timeout?.checkTimeout()
    if Set(resource.map(\.resource)).count < resource.count {
      throw ValidationError("A --resource is named twice.")
    }
    if Set(resource.map(\.origin)).count < resource.count {
      throw ValidationError("Two --resource at one origin: 'request' could not tell whose token it takes.")
    }
    if isService { return try validateService() }
    let needsPlace = other.client.isUsed || openID.namesPage
    guard issuer != nil || other.isNamed || continues || !needsPlace else {
      throw ValidationError("This way to sign in needs an --issuer.")
    }
    let taken = (isResource ? ["--flow"] : []) + (other.isNamed && other.kind.hasIssuersPage ? openID.page.named : [])
    if issuer == nil, let option = openID.named.first(where: { !taken.contains($0) }) {
      throw ValidationError("\(option) is for an --issuer only\(PageOptions.kinds(of: option)).")
    }
    if isResource { try validateResource() }
    try openID.validate(with: other.client)
    if openID.scope != nil, issuer == nil, other.isNamed, !other.kind.optional.contains(.scope) {
      throw ValidationError("--scope is for an --issuer, a --protected-resource and --provider entra only.")
    }
    if passwordStdin, other.client.clientSecretFile.map({ ClientSecretFile(path: $0) })?.isStandardInput == true {
      throw ValidationError("--password-stdin or --client-secret-file reads standard input, not both.")
    }
    if continues {
      guard issuer == nil, !other.isUsed, method == nil else {
        throw ValidationError("--continue goes on with what was begun: it takes no provider and no method.")
      }
      return
    }
    if issuer == nil {
      guard other.isUsed else {
        throw ValidationError("Where to sign in is missing: --issuer, or --provider with its options.")
      }
    } else if other.isUsed {
      throw ValidationError("Name an --issuer or a --provider with its options, not both.")
    } else if other.client.clientID == nil {
      throw ValidationError("An --issuer needs a --client-id.")
    }
  }

  private var isResource: Bool { other.kind.name == ProviderKind.resource.name }

  /// Where the user signs in; nil at a provider, and at a protected resource, which leads to its issuer.
  private var issuer: String? { isResource ? nil : openID.issuer }

  private func validateResource() throws {
    if openID.issuer != nil, other.client.clientID == nil {
      throw ValidationError("--issuer with --protected-resource needs the --client-id that this issuer gave.")
    }
    if other.client.clientSecretFile != nil, openID.issuer == nil {
      throw ValidationError("--client-secret-file needs the --issuer that gave the secret: it is sent nowhere else.")
    }
    if openID.flow == .password { throw ValidationError("--flow is browser or device with --protected-resource.") }
    if openID.flow != .browser, method != nil { throw ValidationError("Name a --flow or a --method, not both.") }
    if let option = [("allow-origin", allowOrigin.isEmpty), ("resource", resource.isEmpty)].first(where: { !$0.1 }) {
      throw ValidationError("The token of a --protected-resource is for that alone: it takes no --\(option.0).")
    }
  }

  /// A condition of the provider for the sign-in is a rejection, unless only a session that exists was asked for.
  func status(of error: AuthenticationError) -> ExitStatus {
    let isSilent = openID.page.prompt == "none"
    let isUnready = error == .insufficientUserAuthentication && !isSilent
    // Not by the user at this terminal.
    return isUnready || error.reason == .overtaken ? .rejected : ExitStatus(error)
  }

  func perform(on console: Console) async throws {
    if isService { return try await performService(on: console) }
    if issuer != nil, let method { return try await following(method).perform(on: console) }
    let folder = ProfileFolder(options, console)
    let old = try folder.loadSettingAside()
    try old?.checkNothingIsLost(in: folder)
    let profile = try profile(in: folder, old)
    try folder.checkSaving(profile.storage)
    let secret = try continues ? folder.clientSecret(of: profile, begun: true) : other.client.secret(console)
    let parameters = try openID.page.parameters()
    let (bindsTokens, noConsent) = (openID.dpop, openID.page.noConsent)
    let opened = try OpenProfile(profile, in: folder, clientSecret: secret, page: page(console)) { client in
      client.parameters.merge(parameters) { $1 }
      if bindsTokens { client.bindsTokens = true }
      if noConsent { client.asksConsentForOfflineAccess = false }
    }
    guard profile.resources == nil || opened.getsResourceTokens else {
      throw ValidationError("--provider \(profile.provider) has one token for all: it takes no --resource.")
    }
    let route = try route(of: opened.root, console)
    try await opened.keepSession(
      secret: secret, replacing: old, isContinued: continues, showsContext: openID.page.asksForContext
    ) { try await signIn(opened, route, console) }
  }

  private func profile(in folder: ProfileFolder, _ old: Profile?) throws -> Profile {
    if continues {
      guard let begun = folder.begunLogin() else { throw AuthenticationError.nothingPending }
      return begun
    }
    let registration = isResource ? nil : openID.registration(of: other.client)
    var settings = other.settings
    if isResource { settings[ProviderOption.issuer.name] = openID.issuer }
    if registration == nil { settings[ProviderOption.scope.name] = openID.scope }
    return Profile(
      provider: registration == nil ? other.kind.name : "openid", settings: settings, openID: registration,
      allowedOrigins: allowOrigin, resources: resource.isEmpty ? nil : resource, caFile: other.caFile,
      storage: folder.storageKind(replacing: old))
  }

  private func signIn(_ opened: OpenProfile, _ route: SignInRoute, _ console: Console) async throws -> User {
    let needs = route.method?.needs ?? []
    let isElsewhere = needs.contains(.browser) || needs.contains(.anotherDevice)
    do {
      return try await opened.limit(
        to: timeout, standardTimeout: isElsewhere ? 300 : 60, timeoutError: timeoutError, route.signIn)
    } catch let interrupted as Interrupted {
      // A provider's page was shown, which returns to this machine.
      if needs.contains(.browser) {
        console.say("authctl: Not signed in. If the page refused the redirect: \(redirectAdvice)")
      }
      throw interrupted
    } catch let error as AuthenticationError where error.reason == .deviceAuthorization {
      // There is no sign-in on another device, as the option was given.
      let option = method.map { "--method \($0)" } ?? "--flow \(openID.flow.rawValue)"
      throw ValidationError(
        "\(option) needs a device authorization endpoint, and the issuer names none. "
          + "Choose another one, or name the endpoint with --metadata device_authorization_endpoint=URL.")
    }
  }
}

extension Login {
  /// How a user is signed in; the method is nil for the step that a login before left waiting.
  private typealias SignInRoute = (method: SignInMethod?, signIn: @Sendable () async throws -> User)

  private func route(of root: MainRoot, _ console: Console) throws -> SignInRoute {
    let dialogue = SignInDialogue(console: console)
    if continues { return (nil, { try await dialogue.resume(at: root) }) }
    // At an issuer: its page, another device, a password.
    if issuer != nil {
      let credentials = try credentials(console)
      return (credentials.method, { try await root.useCase.signIn(with: credentials) })
    }
    let named = method ?? (openID.flow == .device ? SignInMethod.device.id : nil)
    guard let chosen = named.map({ id in root.methods.first { $0.id == id } }) ?? root.methods.first else {
      let known = root.methods.map(\.id).joined(separator: ", ")
      throw ValidationError("--method is one of what this provider offers: \(known).")
    }
    guard chosen.needs.contains(.browser) || openID.page.named.isEmpty else {
      throw ValidationError("\(openID.page.named[0]) is for the provider's page: --method \(chosen.id) has none.")
    }
    let input = try input(for: chosen, console)
    return (chosen, { try await dialogue.signIn(at: root, by: chosen, input) })
  }

  private func credentials(_ console: Console) throws -> any Credentials {
    switch openID.flow {
    case .password:
      PasswordCredentials(
        userName: try console.userName(username), password: try console.password(fromInput: passwordStdin))
    case .device: DeviceSignIn { console.show($0) }
    case .browser: BrowserSignIn(openID.page.hints(username: username))
    }
  }

  /// At an issuer a method is a flow: the same login with that one.
  private func following(_ method: String) throws -> Login {
    guard let flow = OpenIDOptions.Flow(rawValue: method) else {
      throw ValidationError("--method at an issuer is one of: browser, device, password.")
    }
    var login = self
    login.openID.flow = flow
    login.method = nil
    try login.openID.validate()
    return login
  }

  private func input(for method: SignInMethod, _ console: Console) throws -> SignInInput {
    var fields: [SignInMethod.Need: String] = [:]
    for need in method.needs {
      switch need {
      case .password, .token:
        fields[need] = try console.password(fromInput: passwordStdin).reveal()
      case .userName, .emailAddress, .phoneNumber: fields[need] = try console.userName(username)
      default: break
      }
    }
    let isAtIssuersPage = other.kind.hasIssuersPage && method.needs.contains(.browser)
    return SignInInput(fields, hints: isAtIssuersPage ? openID.page.hints(username: username) : SignInHints())
  }

  /// How a provider's page is shown.
  private func page(_ console: Console) -> BrowserPage? {
    guard openID.flow == .browser else { return nil }
    let presenter = SystemBrowserPresenter(timeout: .seconds(600)) { url throws(AuthenticationError) in
      if json { console.out(json: ["event": "authorization_url", "url": url.absoluteString]) }
      if !openID.noBrowser { return try await open(url, console) }
      if !json { console.say("Open this page to sign in: \(url.absoluteString)") }
    } onIgnored: {
      console.warn(of: $0)
    }
    return BrowserPage(presenter: presenter, redirect: openID.redirect)
  }

  private func open(_ url: URL, _ console: Console) async throws(AuthenticationError) {
    // First of all: a command that succeeds may have shown nothing, and another ends with the browser only.
    if !json { console.say("Sign in on the page that opens in the browser, or open it: \(url.absoluteString)") }
    do {
      try await SystemBrowser.open(url)
    } catch  where error == .cancelled {
      throw error
    } catch {
      console.say("No browser could be opened here. Open this page to sign in: \(url.absoluteString)")
    }
  }
}

extension Login {
  /// Why no user is signed in when the time is over. An issuer that does not know the redirect shows a page that stays.
  private var timeoutError: AuthenticationError {
    guard issuer != nil, openID.flow != .password else { return .timedOut }
    if openID.flow == .device {
      return AuthenticationError(
        .timedOut, "The code was not used in time.", suggestion: "Log in again, perhaps with a longer --timeout.")
    }
    return AuthenticationError(
      .timedOut, "The issuer's page did not lead back in time.",
      suggestion: "Log in again, perhaps with a longer --timeout. If the page refused the redirect: "
        + redirectAdvice)
  }

  private var redirectAdvice: String {
    AuthenticationError.redirectAdvice(to: OpenIDRegistration.redirectURI(openID.redirectPort, openID.redirectPath))
  }
}

extension OpenProfile {
  /// A sign-in that a signal or the time ends, and first of all its remains: a page for the browser, a verifier.
  ///
  /// - Parameters:
  ///   - timeout: seconds, as the user said.
  ///   - standardTimeout: seconds, where the user did not say.
  ///   - timeoutError: why no user is signed in when the time is over.
  func limit(
    to timeout: Int?, standardTimeout: Int = 60, timeoutError: AuthenticationError = .timedOut,
    _ signIn: @escaping @Sendable () async throws -> User
  ) async throws -> User {
    let interruption = Interruption()
    let attempt = Task { try await signIn() }
    let signal = Task { [signals = interruption.signals] () -> Int32? in
      for await number in signals {
        // A second signal ends the process at once.
        interruption.end()
        attempt.cancel()
        return number
      }
      return nil
    }
    let alarm = Task { [root] in
      try await Task.sleep(for: .seconds(timeout ?? standardTimeout))
      // Looking for a code gets longer.
      if timeout == nil, root.attempts.current?.state.challenge != nil { try await Task.sleep(for: .seconds(240)) }
      attempt.cancel()
    }
    let result = await attempt.result
    alarm.cancel()
    signal.cancel()
    interruption.end()
    do {
      return try result.get()
    } catch let error as AuthenticationError where error == .superseded {
      throw AuthenticationError.loginCancelled
    } catch let error as AuthenticationError where [.cancelled, .challengeRequired].contains(error) {
      if error == .cancelled { await (root.provider as? SavingFirstProvider)?.signInEnded(within: .seconds(2)) }
      if let number = await signal.value { throw Interrupted(signal: number) }
      throw error == .cancelled ? timeoutError : error
    }
  }
}

extension AuthenticationError {
  /// Another process of the same profile.
  static let loginCancelled = Self(
    .cancelled, "The login was cancelled: a logout or another login of this profile ended it.",
    suggestion: "Log in again."
  ).with(\.reason, .overtaken)
}

/// Where a client's secret is read from, once: a file, a pipe, or standard input.
struct ClientSecretFile {
  let path: String
  /// The option that named it.
  var option = "--client-secret-file"
  /// Whether all of it counts, and not its first line alone.
  var isWhole = false

  /// In bytes; more is no secret.
  private static let longest = 64 << 10

  var isStandardInput: Bool { ["/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"].contains(path) }

  /// The first line. Warns of a file that others can read.
  func read(_ console: Console) throws -> Secret {
    guard let file = isStandardInput ? .standardInput : FileHandle(forReadingAtPath: path) else {
      throw ValidationError("\(option) names no file that can be read.")
    }
    if isReadableByOthers(file) {
      console.say("The file with the client's secret can be read by others; 'chmod 600' keeps them out.")
    }
    var data = Data()
    while data.count < Self.longest, isWhole || !data.contains(UInt8(ascii: "\n")) {
      guard let more = try? file.read(upToCount: Self.longest), !more.isEmpty else { break }
      data += more
    }
    guard data.count <= Self.longest else { throw ValidationError("\(option) names a file larger than 64 KiB.") }
    // A key as JSON may begin with a byte order mark, which is ignored (RFC 8259 §8.1).
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let text = try StandardInput.text(isWhole && data.starts(with: mark) ? data.dropFirst(mark.count) : data, option)
    guard let line = text.split(whereSeparator: \.isNewline).first else {
      throw ValidationError("\(option) has no secret\(isWhole ? "" : " in its first line").")
    }
    return Secret(isWhole ? text : String(line))
  }

  private func isReadableByOthers(_ file: FileHandle) -> Bool {
    var status = stat()
    guard unsafe fstat(file.fileDescriptor, &status) == 0 else { return false }
    return status.st_mode & S_IFMT == S_IFREG && status.st_mode & (S_IRGRP | S_IROTH) != 0
  }
}

extension ProfileResource {
  /// Parses `--resource URI=ORIGIN`; the URI may contain the sign itself.
  init(typed text: String) throws {
    guard let sign = text.lastIndex(of: "="), sign != text.startIndex, !text.contains(where: \.isWhitespace) else {
      throw ValidationError("It is written like https://orders.example.com=https://orders.example.com.")
    }
    resource = String(text[..<sign])
    let typed = try Login.origin(String(text[text.index(after: sign)...]))
    origin = URL(string: typed).flatMap(Origin.init)?.description ?? typed
  }
}
