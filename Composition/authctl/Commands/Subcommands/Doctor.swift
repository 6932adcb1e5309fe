import ArgumentParser
import AuthenticationKit
import AuthenticationOpenID
import Foundation

struct Doctor: Command {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "Check an issuer, or the configuration of another provider, without signing in.",
    discussion: "Each finding is a line on standard output, with what to do about it.")

  @Option(help: ArgumentHelp("The issuer, exactly as it calls itself.", valueName: "url"))
  var issuer: String?

  @OptionGroup(title: "A provider of another kind") var at: ProviderOptions

  @Flag(help: "Print one JSON object a line.")
  var json = false

  @OptionGroup var options: ProfileOptions

  func validate() throws {
    guard (issuer != nil) != at.isUsed else {
      throw ValidationError("Name an --issuer, or a --provider with its options.")
    }
  }

  func perform(on console: Console) async throws {
    let client = try options.transport(trusting: at.caFile, console)
    let examination: Examination
    if let issuer {
      examination = await Examination.issuer(issuer, client: client)
    } else {
      examination = await ProviderExamination(options: at, client: client, console: console).examine()
    }
    for finding in examination.findings { console.out(finding.line, json: finding.event) }
    let status = examination.exitStatus
    if status != nil {
      let (subject, fault) = issuer == nil ? ("provider", "as it is configured") : ("issuer", "as it is")
      console.report(
        AuthenticationError(
          code: "\(subject)_unusable", "The \(subject) cannot be used \(fault).",
          suggestion: "Each finding that is a problem says what to do."))
    }
    if json { console.out(json: examination.summary) }
    if let status { throw status.exitCode }
  }
}

/// The findings of `doctor`.
struct Examination {
  /// How much a finding matters to a sign-in (OpenID Connect Core §3.1, RFC 9700 §2).
  enum Level: String, Encodable {
    /// As it should be.
    case ok
    /// Sign-in works; something could be better.
    case warning
    /// Sign-in fails, or is not safe.
    case problem
  }

  struct Finding {
    /// The subject of the check, in lower case.
    let check: String
    let level: Level
    /// The finding; of an issuer's text it quotes only names of algorithms and scopes.
    let message: String
    /// The remedy; nil if none is needed.
    var advice: String?
    /// With which a sign-in would fail.
    var code: AuthenticationError?

    /// `warning  pkce        The finding. The remedy.`
    var line: String {
      let columns = [(level.rawValue, 7), (check, 10)].map { $0.padding(toLength: $1, withPad: " ", startingAt: 0) }
      return (columns + [message + (advice.map { " " + $0 } ?? "")]).joined(separator: "  ")
    }

    /// The same for scripts.
    var event: JSONObject {
      ["event": "finding", "check": check, "level": level, "message": message, "advice": advice]
    }
  }

  var findings: [Finding] = []
  /// How far this machine's clock is ahead.
  var clockOffset: Duration?

  /// How many findings of each level there were, and by how many seconds this machine's clock is ahead.
  var summary: JSONObject {
    let count = { (level: Level) in findings.count { $0.level == level } }
    return [
      "event": "summary", "ok": count(.ok), "warnings": count(.warning), "problems": count(.problem),
      "clock_offset": clockOffset.map { Int($0.components.seconds) },
    ]
  }

  mutating func add(_ check: String, _ message: String) {
    findings.append(Finding(check: check, level: .ok, message: message))
  }

  /// - Parameter level: by default a problem, and a warning where the provider only wants to be asked later.
  mutating func add(_ check: String, _ error: AuthenticationError, advice: String? = nil, level: Level? = nil) {
    let level = level ?? (error == .rateLimited ? .warning : .problem)
    findings.append(
      Finding(check: check, level: level, message: error.told, advice: advice ?? error.suggestion, code: error))
  }

  /// An unsafe finding counts more than a missing response, and that more than anything else; nil without a fault.
  /// Only an option that cannot be right is a wrong call: the provider rejects an ability that it does not offer.
  var exitStatus: ExitStatus? {
    let statuses = findings.filter { $0.level == .problem }.map { finding in
      let status = finding.code.map(ExitStatus.init(code:)) ?? .unexpected
      return status == .usage && finding.code != .invalidConfiguration ? .rejected : status
    }
    return [.security, .unreachable, .usage, .rejected].first(where: statuses.contains)
      ?? (statuses.isEmpty ? nil : .unexpected)
  }
}

/// Which methods a provider allows this client. It is asked by a sign-in that no user makes: with a password that is no
/// account's, or with a code for another device, which is given up. No request that would send a message or make an
/// account is sent.
struct MethodExamination {
  /// Those that led on: to a session, a second step or a code for another device.
  private(set) var begun: [SignInMethod] = []
  /// Those by which the made-up user was refused, as a wrong password is: perhaps before anything else was looked at.
  private(set) var answered: [SignInMethod] = []
  private(set) var refused: [(method: SignInMethod, error: AuthenticationError)] = []
  private(set) var unasked: [SignInMethod] = []
  /// Why the rest could not be asked.
  private(set) var failure: AuthenticationError?

  /// Those that are not refused as such.
  var allowed: [SignInMethod] { begun + answered }

  /// Whether it is no single method that is refused.
  var refusesClient: Bool {
    allowed.isEmpty && failure == nil
      && refused.allSatisfy { [.clientRejected, .endpointMissing].contains($0.error) }
  }

  static func examine(_ root: MainRoot) async -> Self {
    var examination = Self()
    for method in root.methods { await examination.ask(method, root) }
    return examination
  }

  private mutating func ask(_ method: SignInMethod, _ root: MainRoot) async {
    let name = "authctl-doctor@example.invalid"
    guard failure == nil, method.canBeAsked, let attempt = try? root.attempts.begin(method) else {
      return unasked.append(method)
    }
    attempt.submit(SignInInput([.userName: name, .emailAddress: name, .password: "authctl-doctor"]))
    var answer: AuthenticationError?
    for await state in attempt.states() where state != .collecting && state != .submitting {
      answer = state.failure
      break
    }
    attempt.cancel()
    _ = await attempt.finished()
    // Some servers for tests let anybody in.
    try? await root.manager.signOut()
    guard let answer else { return begun.append(method) }
    if answer.isAboutUser {
      answered.append(method)
    } else if [.unsupportedMethod, .clientRejected, .invalidRequest, .endpointMissing].contains(answer) {
      refused.append((method, answer))
    } else {
      failure = answer
      unasked.append(method)
    }
  }

  /// A refusal is no problem as long as there may be another way to sign in.
  func add(to examination: inout Examination) {
    for (method, error) in refused {
      let told = AuthenticationError(error, "'\(method.id)' is refused: \(error.told)")
      examination.add(
        "methods", told, advice: error.suggestion, level: allowed.isEmpty && unasked.isEmpty ? .problem : .warning)
    }
    if let failure { examination.add("answer", failure) }
    let list = { (methods: [SignInMethod]) in methods.map(\.id).joined(separator: ", ") }
    let parts = [
      begun.isEmpty ? nil : "A user can sign in by \(list(begun)).",
      answered.isEmpty ? nil : "A made-up user was refused by \(list(answered)); no real one was tried.",
      unasked.isEmpty ? nil : "Not asked for: \(list(unasked)).",
    ].compactMap(\.self)
    if !parts.isEmpty { examination.add("methods", parts.joined(separator: " ")) }
  }
}

extension AuthenticationError {
  /// Whether the refusal is about this user, and another one might be let in.
  fileprivate var isAboutUser: Bool {
    switch disposition {
    case .attempt, .endsSession: true
    case .transient, .other: self == .insufficientUserAuthentication || self == .challengeRequired
    }
  }
}

extension SignInMethod {
  fileprivate var canBeAsked: Bool {
    let typed: Set<Need> = [.userName, .emailAddress, .password]
    return needs.contains(.anotherDevice) || needs.contains(.password) && typed.isSuperset(of: needs)
  }
}

/// Checks a provider's configuration without signing in: that one can be made of it, that the provider knows this
/// client, and that it lets users sign in as the configuration says.
struct ProviderExamination {
  let options: ProviderOptions
  let client: any HTTPClient
  let console: Console

  func examine() async -> Examination {
    var examination = Examination()
    do {
      let root = try options.root(console, transport: client)
      if let provider = root.provider.part(OpenIDConnectProvider.self), let issuer = provider.discoveredIssuer {
        examination = await Examination.issuer(issuer, tenants: provider.tenants, client: client)
        if examination.exitStatus != nil { return examination }
      }
      examination.add("config", "Every option can be right.")
      await examine(root, &examination)
    } catch let error as AuthenticationError {
      examination.add("config", error)
    } catch {
      examination.add("config", .invalidConfiguration("\(error)"))
    }
    return examination
  }

  private func examine(_ root: MainRoot, _ examination: inout Examination) async {
    let refusal = await refusalToRefresh(at: root.provider)
    let isRefused = [.clientRejected, .invalidRequest].contains(refusal)
    // Some services let a client without a secret sign users in by another device, and refresh nothing.
    let mayBeKnown = root.methods.contains { $0.needs.contains(.anotherDevice) } && !hasSecret
    if !isRefused || !mayBeKnown {
      add(refusal, to: &examination)
      if examination.exitStatus != nil || refusal == .rateLimited { return }
    }
    let examined = await MethodExamination.examine(root)
    if isRefused, mayBeKnown, examined.refusesClient { return add(refusal, to: &examination) }
    if isRefused, mayBeKnown, !examined.allowed.isEmpty { add(nil, to: &examination) }
    examined.add(to: &examination)
  }

  /// Asks to refresh a session that does not exist: a provider that refuses it has accepted everything else.
  private func refusalToRefresh(at provider: any RemoteAuthProvider) async -> AuthenticationError? {
    let unknown = Secret("authctl-doctor")
    do throws(AuthenticationError) {
      let token = try AccessToken(unknown, receivedAt: Date())
      _ = try await provider.refresh(
        AuthSession(user: User(id: "unknown"), tokens: SessionTokens(access: token, refresh: unknown)))
      return nil
    } catch {
      return error.disposition == .endsSession ? nil : error
    }
  }

  private func add(_ refusal: AuthenticationError?, to examination: inout Examination) {
    guard let refusal else { return examination.add("client", "The provider answers, and knows this client.") }
    switch refusal {
    case .clientRejected, .invalidRequest:
      let named = options.kind.required.filter { !$0.isAddress } + (hasSecret ? [.clientSecretFile] : [])
      examination.add("client", refusal, advice: "Check \(Self.list(named)).")
    case .rateLimited: examination.add("answer", refusal)
    default: examination.add("answer", refusal, advice: "Check \(Self.list(addresses)), and the network.")
    }
  }

  private var hasSecret: Bool { options.client.clientSecretFile != nil }

  /// The options that say where the provider is; of a vendor's own hosts none does.
  private var addresses: [ProviderOption] {
    let given = options.kind.options.filter { $0.isAddress && options.settings.has($0) }
    return given.contains(.endpoint) || given.isEmpty ? [.endpoint] : given
  }

  private static func list(_ options: [ProviderOption]) -> String {
    options.map { "--\($0.name)" }.joined(separator: ", ")
  }
}

extension ProviderOptions {
  /// The provider that is named; nothing of it is stored.
  func root(_ console: Console, transport: (any HTTPClient)? = nil) throws -> MainRoot {
    let setup = ProviderSetup(settings, clientSecret: try client.secret(console))
    return try MainRoot(kind.configuration(setup, realm: kind.name)) {
      $0.storage = .secure(InMemoryStorage())
      $0.refreshPolicy = .onDemand
      $0.providerTransport = transport
    }
  }
}
