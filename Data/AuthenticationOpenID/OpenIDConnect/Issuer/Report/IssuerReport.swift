package import AuthenticationData
package import AuthenticationDomain

/// A check of what an issuer publishes, without signing in: for an app team that sets one up.
package struct IssuerReport: Sendable {
  /// How much a finding matters to a sign-in (OpenID Connect Core §3.1, RFC 9700 §2).
  package enum Level: String, Sendable, Hashable, Encodable {
    /// As it should be.
    case ok
    /// Sign-in works; something could be better.
    case warning
    /// Sign-in fails, or is not safe.
    case problem
  }

  /// The result of one check of what the issuer publishes (OpenID Connect Discovery §3, RFC 8414 §2, RFC 7517 §5).
  package struct Finding: Sendable {
    /// What was checked, in lower case: `tls`, `discovery`, `issuer`, `endpoint`, `clock`, `responses`, `grants`,
    /// `pkce`, `par`, `iss`, `scopes`, `clients`, `dpop`, `sign-out`, `algorithms`, `keys`.
    package let check: String
    /// How much it matters.
    package let level: Level
    /// What was found; of the issuer's own text it quotes only algorithm names.
    package let message: String
    /// What to do about it; nil if nothing needs to be done.
    package let advice: String?
    /// The error with which a sign-in would fail; nil if it would not.
    package let code: AuthenticationError.Code?
  }

  /// As given by the caller.
  package let issuer: String
  /// In the order in which the checks depend on each other.
  package internal(set) var findings: [Finding] = []
  /// How far this device's clock is ahead of the issuer's; nil if the issuer sends no date.
  package internal(set) var clockOffset: Duration?

  init(issuer: String) { self.issuer = issuer }

  /// Fetches what the issuer publishes, and checks it (OpenID Connect Discovery §3, RFC 8414 §2). Never throws: a
  /// document that cannot be fetched is a finding.
  package static func examine(
    issuer: String, client: (any HTTPClient)? = nil, clock: any AuthenticationClock = SystemClock()
  ) async -> IssuerReport {
    var report = IssuerReport(issuer: issuer)
    do throws(AuthenticationError) {
      let identifier = try IssuerIdentifier(issuer)
      let client: any HTTPClient = if let client { client } else { try SystemHTTPClient.shared }
      let documents = IssuerDocuments(issuer: identifier, client: client, clock: clock)
      try await report.examine(documents)
    } catch {
      report.add(error.code == .insecureConnection ? "tls" : "discovery", error)
    }
    return report
  }
}

extension IssuerReport {
  mutating func add(
    _ check: String, _ level: Level, _ message: String, advice: String? = nil, code: AuthenticationError.Code? = nil
  ) {
    findings.append(Finding(check: check, level: level, message: message, advice: advice, code: code))
  }

  mutating func add(_ check: String, _ error: AuthenticationError) {
    add(check, .problem, error.message, advice: error.suggestion, code: error.code)
  }
}
