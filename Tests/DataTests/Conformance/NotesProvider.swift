import AuthenticationData
import AuthenticationDomain
import Foundation

/// An adapter as a team outside this package would write it; with a fault it breaks one rule of every adapter.
struct NotesProvider: ResourceAuthProvider {
  enum Fault: CaseIterable {
    case endsOn500, endsOnPage, endsOnUnknownCode, leaksBody, retriesSpentToken, ignoresCancellation, dropsClaims
    case endsOnRefusedResource, losesTokenOfResource, takesAnyAudience
  }

  let client: any HTTPClient
  let clock: any AuthenticationClock
  let fault: Fault?

  private struct Tokens: Decodable {
    let user: String?
    let access: String
    let refresh: String?
    let roles: [String]?
    let audience: String?
  }

  private struct Refusal: Decodable {
    let error: String
  }

  func signIn(_ request: SignInRequest) async throws(AuthenticationError) -> SignInOutcome {
    guard let password = request.credentials as? PasswordCredentials else {
      throw .unsupportedMethod(request.credentials.method)
    }
    let answer = try await ask("login", ["name": password.userName, "password": password.password.reveal()])
    guard answer.isSuccess else { throw refusal(answer, ["wrong": .invalidCredentials]) }
    let wire = try tokens(answer)
    guard let user = wire.user else { throw .unexpectedResponse }
    return .session(AuthSession(user: User(id: user), tokens: try sessionTokens(wire)))
  }

  func refresh(_ session: AuthSession) async throws(AuthenticationError) -> SessionTokens {
    guard let token = session.tokens.refresh else { throw .sessionExpired }
    do throws(AuthenticationError) {
      return try await exchange(token)
    } catch {
      guard fault == .retriesSpentToken, error == .connectionLost else { throw error }
      return try await exchange(token)
    }
  }

  private func exchange(_ token: Secret) async throws(AuthenticationError) -> SessionTokens {
    let answer = try await ask("refresh", ["refresh": token.reveal()])
    if fault == .endsOn500, answer.status == 500 { throw .sessionRejected }
    if fault == .endsOnPage, answer.body.starts(with: Data("<!doctype".utf8)) { throw .sessionRejected }
    guard answer.isSuccess else { throw refusal(answer, ["gone": .sessionRejected, "app": .clientRejected]) }
    return try sessionTokens(tokens(answer))
  }

  func refresh(
    _ session: AuthSession, for resource: ProtectedResource
  ) async throws(AuthenticationError) -> ResourceTokens {
    let body = ["refresh": session.tokens.refresh?.reveal() ?? "", "for": resource.indicator ?? ""]
    let answer = try await ask("refresh", body)
    let refused = fault == .endsOnRefusedResource ? AuthenticationError.sessionRejected : .resourceRefused
    guard answer.isSuccess else { throw refusal(answer, ["gone": .sessionRejected, "resource": refused]) }
    let wire = try tokens(answer)
    let isOther = wire.audience != resource.indicator && fault != .takesAnyAudience
    var tokens = try sessionTokens(wire)
    if fault == .losesTokenOfResource { tokens = SessionTokens(access: tokens.access) }
    return ResourceTokens(tokens, refusal: isOther ? .resourceRefused : nil)
  }

  func revoke(_ tokens: SessionTokens, keepingOtherSessions: Bool) async throws(AuthenticationError) {
    let answer = try await ask("logout", ["refresh": tokens.refresh?.reveal() ?? ""])
    guard answer.isSuccess else { throw refusal(answer, [:]) }
  }

  // MARK: The wire

  private func ask(_ path: String, _ body: [String: String]) async throws(AuthenticationError) -> HTTPResponse {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    guard let url = URL(string: "https://notes.example.com/\(path)"), let body = try? encoder.encode(body) else {
      throw .unexpectedResponse
    }
    let request = HTTPRequest(.post, url, headers: ["Content-Type": "application/json"], body: body)
    guard fault == .ignoresCancellation else { return try await client.send(request) }
    return try await Task { () async -> Result<HTTPResponse, AuthenticationError> in
      do throws(AuthenticationError) { return .success(try await client.send(request)) } catch {
        return .failure(error)
      }
    }.value.get()
  }

  private func refusal(
    _ answer: HTTPResponse, _ meanings: [String: AuthenticationError]
  ) -> AuthenticationError {
    if answer.status == 429 { return .rateLimited }
    if answer.status >= 500 { return .serverFailed }
    let code = answer.isJSON ? try? JSONDecoder().decode(Refusal.self, from: answer.body).error : nil
    if let code, let meaning = meanings[code] { return meaning }
    if fault == .endsOnUnknownCode, code != nil, meanings["gone"] != nil { return .sessionRejected }
    guard fault == .leaksBody else { return .unexpectedResponse }
    return AuthenticationError(.unexpectedResponse, "It said: \(String(decoding: answer.body, as: UTF8.self))")
  }

  private func tokens(_ answer: HTTPResponse) throws(AuthenticationError) -> Tokens {
    guard answer.isJSON, let wire = try? JSONDecoder().decode(Tokens.self, from: answer.body) else {
      throw .unexpectedResponse
    }
    return wire
  }

  private func sessionTokens(_ wire: Tokens) throws(AuthenticationError) -> SessionTokens {
    SessionTokens(
      access: try AccessToken(Secret(wire.access), receivedAt: clock.now),
      refresh: wire.refresh.map { Secret($0) },
      claims: wire.roles.map { ["roles": .array(fault == .dropsClaims ? [] : $0.map(JSONValue.string))] } ?? [:])
  }
}

extension AuthProviderConfiguration {
  static func notes(_ fault: NotesProvider.Fault? = nil) -> Self {
    Self(name: "notes") { environment throws(AuthenticationError) in
      Product(
        provider: NotesProvider(client: environment.httpClient, clock: environment.clock, fault: fault),
        allowedOrigins: [])
    }
  }
}
