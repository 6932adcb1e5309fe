import AuthenticationData
import AuthenticationDomain
import AuthenticationOpenID
import Foundation
import Synchronization

/// Asks the issuer about tokens, each once for all requests that bring it at the same time, and about no more than
/// ``mostRequests`` at a time.
final class TokenIntrospector: Sendable {
  private typealias Response = Result<AccessTokenClaims, AccessTokenFault>
  private struct Entry {
    let response: Response
    let until: Duration
  }
  private struct Contents {
    /// Of tokens that are active, and of the others: invented ones must not displace those.
    var entries: [Bool: [String: Entry]] = [:]
    var asking: [String: Task<Response, Never>] = [:]
  }

  static let mostEntries = 10_000
  static let mostRequests = 64
  private static var longestRefusal: Duration { .seconds(10) }

  private let contents = Mutex(Contents())
  private let settings: AccessTokenIntrospection
  private let issuer: Issuer
  private let environment: AuthProviderConfiguration.Environment
  private var clock: any AuthenticationClock { environment.clock }

  init(
    _ settings: AccessTokenIntrospection, issuer: Issuer, client: any HTTPClient, clock: any AuthenticationClock
  ) {
    self.settings = settings
    self.issuer = issuer
    environment = AuthProviderConfiguration.Environment(httpClient: client, clock: clock)
  }

  /// Returns the issuer's description of an active token; its issuer, audience and times are not checked. Throws
  /// `invalid_token` if it is not active.
  func claims(of token: Secret) async throws(AccessTokenFault) -> AccessTokenClaims {
    let key = Base64URL.sha256(of: token.reveal())
    let now = clock.uptime
    let (kept, task) = contents.withLock { contents -> (Response?, Task<Response, Never>?) in
      let entries = contents.entries.values.compactMap { $0[key] }
      if let entry = entries.first(where: { now < $0.until }) { return (entry.response, nil) }
      if contents.asking[key] == nil, contents.asking.count >= Self.mostRequests { return (nil, nil) }
      let task = contents.asking[key] ?? Task { await self.ask(token, key) }
      contents.asking[key] = task
      return (nil, task)
    }
    if let kept { return try kept.get() }
    guard let task else {
      var fault = AccessTokenFault(.unavailable, "The issuer is being asked about too many tokens.")
      fault.retryAfter = .seconds(1)
      throw fault
    }
    return try await task.value.get()
  }

  private func ask(_ token: Secret, _ key: String) async -> Response {
    let response: Response
    do throws(AccessTokenFault) {
      response = .success(try await fetch(token))
    } catch {
      response = .failure(error)
    }
    let now = clock.uptime
    let (isActive, lifetime): (Bool, Duration)
    switch response {
    case .success(let claims):
      let valid = Duration.seconds(claims.expiresAt.timeIntervalSince(clock.now))
      (isActive, lifetime) = (true, min(valid, settings.cachedFor))
    case .failure(let fault):
      (isActive, lifetime) = (false, fault.reason == .invalidToken ? Self.longestRefusal : .zero)
    }
    contents.withLock { contents in
      contents.asking[key] = nil
      contents.entries[!isActive]?[key] = nil
      var entries = contents.entries.removeValue(forKey: isActive) ?? [:]
      if entries.count >= Self.mostEntries {
        entries = entries.filter { now < $0.value.until }
        if entries.count >= Self.mostEntries { entries.removeAll() }
      }
      entries[key] = lifetime > .zero ? Entry(response: response, until: now + lifetime) : nil
      contents.entries[isActive] = entries
    }
    return response
  }

  private func fetch(_ token: Secret) async throws(AccessTokenFault) -> AccessTokenClaims {
    let response: HTTPResponse
    do throws(AuthenticationError) {
      guard let endpoint = try await issuer.endpoint(.introspection) else {
        throw AuthenticationError(.unsupportedMethod, "The issuer has no introspection endpoint.")
      }
      var own = OpenIDClient(issuer: issuer.identifier, clientID: settings.clientID)
      own.authentication = settings.authentication
      own = own.resolved(by: try await issuer.metadata())
      let form = FormBody(["token": token.reveal(), "token_type_hint": "access_token"])
      response = try await environment.httpClient.send(
        HTTPRequest(posting: form, to: endpoint, by: own, in: environment))
    } catch {
      throw AccessTokenFault(unreachable: error)
    }
    // A refusal is of this server, not of the token.
    guard response.isSuccess, let members = response.members, case .boolean(let isActive) = members.values["active"]
    else {
      var fault = AccessTokenFault(.unavailable, "The introspection endpoint responded with \(response.status).")
      fault.retryAfter = response.retryAfter(now: clock.now)
      throw fault
    }
    guard isActive else { throw .invalidToken("The issuer says that the token is not active.") }
    // A refresh token and an ID token are active, too (RFC 7662 §2.1).
    let types = ["token_type", "token_use", "typ"].compactMap { name in members.values[name].map { (name, $0) } }
      .filter { $0.1 != .null }
    for (name, value) in types where !Self.typesOfAccessTokens.contains(value.text?.lowercased() ?? "") {
      throw .invalidToken("The token is no access token (\(name)).")
    }
    guard !types.isEmpty || settings.acceptsMissingType else {
      throw .invalidToken("The issuer does not say that the token is an access token (token_type).")
    }
    let claims = try AccessTokenClaims(json: Array(response.body), source: .introspection)
    if types.isEmpty { try claims.checkIsNoIDToken() }
    if types.contains(where: { $0.1.text?.lowercased() == "dpop" }), claims.keyThumbprint == nil {
      throw .invalidToken("The token is bound to a key, and the issuer does not say to which (cnf).")
    }
    return claims
  }

  private static let typesOfAccessTokens: Set = [
    "bearer", "dpop", "access_token", "access", "at+jwt", "application/at+jwt",
  ]
}
