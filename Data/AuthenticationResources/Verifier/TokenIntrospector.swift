import AuthenticationData
import AuthenticationDomain
public import AuthenticationOpenID
import Foundation
import Synchronization

/// How a server asks the issuer about tokens that are no JWTs (RFC 7662).
///
/// An issuer need not say whom a token is for (`aud`): a token of another of its resources is then accepted here. Require
/// a scope that only this resource has.
///
/// ```swift
/// import AuthenticationResources
/// import Foundation
///
/// let introspection = AccessTokenIntrospection(
///   clientID: "notes-api", authentication: .secret(Secret(ProcessInfo.processInfo.environment["CLIENT_SECRET"] ?? "")))
/// ```
public struct AccessTokenIntrospection: Sendable {
  let clientID: String
  let authentication: ClientAuthentication
  let cachedFor: Duration

  /// Describes the server as a client of the issuer.
  ///
  /// - Parameters:
  ///   - clientID: the server's own client id.
  ///   - authentication: how it authenticates, which issuers require (RFC 7662 §2.1).
  ///   - cachedFor: how long a response that says "active" is used again, 60 seconds by default and never longer than
  ///     the token is valid: a revocation takes effect that much later.
  public init(clientID: String, authentication: ClientAuthentication, cachedFor: Duration = .seconds(60)) {
    self.clientID = clientID
    self.authentication = authentication
    self.cachedFor = cachedFor
  }
}

/// Asks the issuer about tokens, each once for all requests that bring it at the same time.
final class TokenIntrospector: Sendable {
  private typealias Response = Result<AccessTokenClaims, AccessTokenFault>
  private struct Entry {
    let claims: AccessTokenClaims
    let until: Duration
  }
  private struct Contents {
    var entries: [String: Entry] = [:]
    var asking: [String: Task<Response, Never>] = [:]
  }

  static let mostEntries = 10_000

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

  /// Returns what the issuer says of an active token; its issuer, audience and times are not checked. Throws
  /// `invalid_token` if it is not active.
  func claims(of token: Secret) async throws(AccessTokenFault) -> AccessTokenClaims {
    let key = Base64URL.sha256(of: token.reveal())
    let now = clock.uptime
    let (kept, task) = contents.withLock { contents -> (AccessTokenClaims?, Task<Response, Never>?) in
      if let entry = contents.entries[key], now < entry.until { return (entry.claims, nil) }
      let task = contents.asking[key] ?? Task { await self.ask(token, key) }
      contents.asking[key] = task
      return (nil, task)
    }
    if let kept { return kept }
    guard let task else { throw .invalidToken("The token is unknown.") }
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
    contents.withLock { contents in
      contents.asking[key] = nil
      contents.entries[key] = nil
      guard case .success(let claims) = response else { return }
      let valid = Duration.seconds(claims.expiresAt.timeIntervalSince(clock.now))
      if contents.entries.count >= Self.mostEntries {
        contents.entries = contents.entries.filter { now < $0.value.until }
        if contents.entries.count >= Self.mostEntries { contents.entries.removeAll() }
      }
      contents.entries[key] = Entry(claims: claims, until: now + min(valid, settings.cachedFor))
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
    if let type = members.values["token_type"] {
      guard let name = type.text, name.equalsIgnoringCase("Bearer") || name.equalsIgnoringCase("DPoP") else {
        throw .invalidToken("The token is no access token (token_type).")
      }
    }
    return try AccessTokenClaims(json: Array(response.body), source: .introspection)
  }
}
