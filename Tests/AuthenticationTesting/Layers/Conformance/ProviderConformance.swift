public import AuthenticationData
import AuthenticationDomain
import AuthenticationDomainTesting

/// Checks a provider's adapter by the rules of every provider, and lists the violations: for any test framework.
///
/// The adapter runs over a transport that responds as the script says, below the client that retries, as in an app.
/// Nothing reaches a network, the clock stands at 2026-01-01 00:00:00 UTC, and each random byte is 0x5A.
///
/// ```swift
/// @Test func `the adapter is a provider`() async {
///   let violations = await ProviderConformance(.notes(baseURL: "https://notes.example.com"), script).violations()
///   for violation in violations { Issue.record("\(violation)") }
/// }
/// ```
///
/// ``violations(of:at:over:)`` asks a server that runs instead.
public struct ProviderConformance: Sendable {
  let configuration: AuthProviderConfiguration
  let script: ProviderScript

  /// The adapter, as an app names it, and how its service speaks.
  public init(_ configuration: AuthProviderConfiguration, _ script: ProviderScript) {
    self.configuration = configuration
    self.script = script
  }

  /// Runs every check, one after the other; not isolated.
  ///
  /// - Returns: the violations, in the order in which they were found; empty for an adapter that keeps all rules.
  ///   Without a sign-in that succeeds nothing else is checked.
  public func violations() async -> [Violation] {
    let findings = ConformanceFindings(script.secrets)
    for gap in script.gaps { findings.note(.script, gap) }
    guard let session = await checkSignIn(findings) else { return findings.violations }
    await checkRefusedSignIns(findings)
    for challenge in script.challenges { await check(challenge, findings) }
    await checkRefresh(of: session, findings)
    await checkRefusedRefreshes(of: session, findings)
    await checkResource(of: session, findings)
    await checkFailures(of: session, findings)
    await checkMalformedAnswers(to: session, findings)
    await checkLostAnswers(to: session, findings)
    await checkRevocation(of: session, findings)
    await checkValidation(of: session, findings)
    await checkCancellation(of: session, findings)
    return findings.violations
  }
}

extension ProviderConformance {
  func makeProvider(
    over transport: ConformanceTransport
  ) throws(AuthenticationError) -> any RemoteAuthProvider {
    let clock = ManualClock()
    let retrying = transport.retrying(backoff: Backoff(base: .zero, cap: .zero), clock: clock)
    let environment = AuthProviderConfiguration.Environment(
      httpClient: retrying, clock: clock, transport: transport,
      resources: [script.resource?.resource].compactMap(\.self), randomBytes: { [UInt8](repeating: 0x5A, count: $0) })
    return try configuration.make(environment).provider
  }

  /// One call of a new provider, whose requests get the responses of these plans.
  func call<Value: Sendable>(
    _ plans: [ConformanceTransport.Plan], _ findings: ConformanceFindings,
    _ body: (any RemoteAuthProvider) async throws(AuthenticationError) -> Value
  ) async -> ConformanceCall<Value> {
    let transport = ConformanceTransport(plans, documents: script.documents)
    let result: Result<Value, AuthenticationError>
    do throws(AuthenticationError) {
      let provider = try makeProvider(over: transport)
      findings.check(description: "\(provider) \(String(reflecting: provider))", of: "the provider")
      result = .success(try await body(provider))
    } catch {
      result = .failure(error)
    }
    switch result {
    case .success(let value): findings.check(value, of: "what a call returns")
    case .failure(let error): findings.check(error, of: "the error '\(error.code)'")
    }
    return ConformanceCall(result: result, sent: transport.sent)
  }

  func refresh(
    _ session: AuthSession, _ plan: ConformanceTransport.Plan, _ findings: ConformanceFindings
  ) async -> ConformanceCall<SessionTokens> {
    await call([plan], findings) { provider throws(AuthenticationError) in try await provider.refresh(session) }
  }
}

/// The result of a call, and its requests.
struct ConformanceCall<Value: Sendable>: Sendable {
  let result: Result<Value, AuthenticationError>
  let sent: [HTTPRequest]

  var error: AuthenticationError? { if case .failure(let error) = result { error } else { nil } }
  var value: Value? { if case .success(let value) = result { value } else { nil } }
  var endsSession: Bool { error?.disposition == .endsSession }
  /// For a sentence.
  var ending: String { error.map { "the error '\($0.code)'" } ?? "a success" }
}
