import AuthenticationData
import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Synchronization
import Testing

/// RFC 9470 §4: a user whose way of signing in is refused signs in again, once, and the request is repeated.
@Suite(.timeLimit(.minutes(10))) struct SteppingUpHTTPClientTests {
  private let gold = AuthenticationRequirements(acrValues: ["gold"], maxAge: .seconds(60))
  private let silver = AuthenticationRequirements(acrValues: ["silver"])
  private let request = HTTPRequest(
    .post, URL(string: "https://api.example.com/transfers")!, headers: ["X-Order": "1"], body: Data("{}".utf8))
  private let users = ScriptedUsers(.ada)

  private func refusal(_ requirements: AuthenticationRequirements) -> AuthenticationError {
    var error = AuthenticationError(.insufficientUserAuthentication, "Scripted.")
    error.requirements = requirements
    return error
  }

  private func client(
    _ http: ScriptedHTTPClient, _ credentials: @escaping StepUp = { RequirementCredentials(requirements: $0) }
  ) -> some HTTPClient {
    http.steppingUp(users, by: users, credentials: credentials)
  }

  @Test func `the user signs in as the resource asks, and any request is repeated as it was`() async throws {
    let http = ScriptedHTTPClient(.failure(refusal(gold)), .success(HTTPResponse(status: 201)))
    #expect(try await client(http).send(request).status == 201)
    #expect(http.requests == [request, request])
    #expect(users.signIns == [gold])
  }

  @Test func `where no sign-in may start the caller gets the refusal`() async {
    let http = ScriptedHTTPClient(.failure(refusal(gold)))
    let result = await client(http) { _ in nil }.result(of: request)
    #expect(result.error?.requirements == gold)
    #expect(http.requests.count == 1)
    #expect(users.signIns == [])
  }

  @Test func `a second refusal is the caller's, after exactly one sign-in`() async {
    let http = ScriptedHTTPClient { [refusal] _ in .failure(refusal(AuthenticationRequirements(acrValues: ["gold"]))) }
    let result = await client(http).result(of: request)
    #expect(result.error == .insufficientUserAuthentication)
    #expect(http.requests.count == 2)
    #expect(users.signIns.count == 1)
  }

  @Test(arguments: [AuthenticationError.cancelled, .invalidCredentials, .superseded])
  func `a sign-in that fails is the caller's failure, and the next refusal asks again`(failure: AuthenticationError)
    async
  {
    let http = ScriptedHTTPClient { [refusal, gold] _ in .failure(refusal(gold)) }
    users.answer(.failure(failure))
    let client = client(http)
    #expect(await client.result(of: request).error == failure)
    #expect(await client.result(of: request).error == failure)
    #expect(http.requests.count == 2)
    #expect(users.signIns == [gold, gold])
  }

  @Test(arguments: [
    AuthenticationError(.insufficientScope, ""), .timedOut, .notSignedIn,
    AuthenticationError(.insufficientUserAuthentication, "without requirements"),
  ])
  func `any other failure leads to no sign-in`(failure: AuthenticationError) async {
    let http = ScriptedHTTPClient(.failure(failure))
    #expect(await client(http).result(of: request).error == failure)
    #expect(users.signIns == [])
  }

  // failure row 15
  @Test func `a request that a step-up itself sends is not stepped up, so that it never waits for itself`() async {
    let http = ScriptedHTTPClient { [refusal, gold] _ in .failure(refusal(gold)) }
    let outer = Mutex<(any HTTPClient)?>(nil)
    let log = Log()
    let client = client(http) { [request] requirements async throws(AuthenticationError) -> (any Credentials)? in
      let inner = await outer.withLock { $0 }?.result(of: request)
      log.append(inner?.error?.code ?? "answered")
      return RequirementCredentials(requirements: requirements)
    }
    outer.withLock { $0 = client }
    _ = await client.result(of: request)
    #expect(log.lines == ["insufficient_user_authentication"])
    #expect(users.signIns == [gold])
  }

  @Test func `requests that are refused at once share one sign-in`() async {
    let refused = Gate()
    refused.close()
    users.gate.close()
    let answers = AnswersBySignIn(refusal: refusal(gold), users: users, gate: refused)
    let client = ScriptedHTTPClient { _ in await answers.next() }
      .steppingUp(users, by: users) { RequirementCredentials(requirements: $0) }
    async let results = withTaskGroup(of: Int?.self) { group in
      for _ in 0..<10 { group.addTask { [request] in await client.result(of: request).status } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    await refused.waitForArrivals(10)
    refused.open()
    await users.gate.waitForArrivals(1)
    users.gate.open()
    #expect(await results == Array(repeating: 200, count: 10))
    #expect(users.signIns == [gold])
  }

  @Test func `a sign-in for another reason is not enough, and two never run at once`() async throws {
    let (gold, silver) = (gold, silver)
    let satisfied = Mutex<Set<AuthenticationRequirements>>([])
    users.onSuccess { requirements in satisfied.withLock { _ = $0.insert(requirements) } }
    let http = ScriptedHTTPClient { [refusal] request in
      let wanted = request.headers["X-Order"] == "1" ? gold : silver
      return satisfied.withLock { $0.contains(wanted) }
        ? .success(HTTPResponse(status: 200)) : .failure(refusal(wanted))
    }
    let client = client(http)
    users.gate.close()
    var other = request
    other.headers["X-Order"] = "2"
    let first = Task { [request] in await client.result(of: request).status }
    await users.gate.waitForArrivals(1)
    let second = Task { [other] in await client.result(of: other).status }
    users.gate.open()
    #expect(await first.value == 200)
    #expect(await second.value == 200)
    #expect(users.signIns == [gold, silver])
    #expect(users.mostAtOnce == 1)
  }

  @Test func `a request that was refused after a sign-in asks for another one`() async throws {
    let http = ScriptedHTTPClient(
      .failure(refusal(gold)), .success(HTTPResponse(status: 200)), .failure(refusal(gold)),
      .success(HTTPResponse(status: 200)))
    let client = client(http)
    for _ in 0..<2 { #expect(try await client.send(request).status == 200) }
    #expect(users.signIns == [gold, gold])
  }

  @Test func `a request of a user who signed out is not repeated for the next one`() async {
    let users = users
    let http = ScriptedHTTPClient { [refusal, gold] _ in
      users.become(.grace)
      return .failure(refusal(gold))
    }
    #expect(await client(http).result(of: request).error == .superseded)
    #expect(http.requests.count == 1)
    #expect(users.signIns == [])
  }

  @Test func `nothing is repeated where another user signs in`() async {
    let http = ScriptedHTTPClient(.failure(refusal(gold)))
    users.answer(.success(.grace))
    #expect(await client(http).result(of: request).error == .superseded)
    #expect(http.requests.count == 1)
  }

  @Test func `nothing is repeated where a user signs in whose id differs by Unicode normalisation`() async {
    let http = ScriptedHTTPClient(.failure(refusal(gold)))
    users.become(User(id: "caf\u{E9}"))
    users.answer(.success(User(id: "cafe\u{301}")))
    #expect(await client(http).result(of: request).error == .superseded)
    #expect(http.requests.count == 1)
  }

  @Test func `nothing is repeated for a user who signed out meanwhile`() async {
    let http = ScriptedHTTPClient(.failure(refusal(gold)))
    let users = users
    users.onSuccess { _ in users.become(nil) }
    #expect(await client(http).result(of: request).error == .superseded)
    #expect(http.requests.count == 1)
  }

  @Test func `a caller who gives up leaves the sign-in to the others`() async {
    let answers = AnswersBySignIn(refusal: refusal(gold), users: users, gate: Gate())
    let client = ScriptedHTTPClient { _ in await answers.next() }
      .steppingUp(users, by: users) { RequirementCredentials(requirements: $0) }
    users.gate.close()
    let leaving = Task { [request] in await client.result(of: request).error }
    await users.gate.waitForArrivals(1)
    let staying = Task { [request] in await client.result(of: request).status }
    await answers.waitForRefusals(2)
    leaving.cancel()
    #expect(await leaving.value == .cancelled)
    users.gate.open()
    #expect(await staying.value == 200)
    #expect(users.signIns.count <= 2)
  }

  private func lacking(_ scopes: String...) -> AuthenticationError {
    AuthenticationError(.insufficientScope, "Scripted.").with(\.requiredScopes, scopes)
      .with(\.requirements, AuthenticationRequirements(scopes: scopes))
  }

  @Test func `scopes that a resource names are asked for beside those that were granted`() async throws {
    users.grant(["openid", "notes:read"])
    let http = ScriptedHTTPClient(.failure(lacking("notes:write", "notes:read")), .success(HTTPResponse(status: 201)))
    #expect(try await client(http).send(request).status == 201)
    #expect(users.signIns.map(\.scopes) == [["openid", "notes:read", "notes:write"]])
    #expect(http.requests == [request, request])
  }

  @Test func `a user is asked only once for a scope that no sign-in brings`() async {
    let http = ScriptedHTTPClient { [lacking] _ in .failure(lacking("notes:write")) }
    let client = client(http)
    for _ in 0..<3 { #expect(await client.result(of: request).error == .insufficientScope) }
    #expect(users.signIns.count == 1)
    #expect(http.requests.count == 4)
  }

  @Test func `where the user may not be asked for a scope, the caller gets the refusal`() async {
    let http = ScriptedHTTPClient(.failure(lacking("notes:write")))
    let result = await client(http) { _ in nil }.result(of: request)
    #expect(result.error?.requiredScopes == ["notes:write"])
    #expect(users.signIns.isEmpty && http.requests.count == 1)
  }

  private static let claims = #"{"access_token":{"nbf":{"essential":true,"value":"1604106651"}}}"#

  /// https://learn.microsoft.com/entra/identity-platform/claims-challenge
  @Test(
    arguments: [
      (Data(claims.utf8).base64EncodedString(), claims), (Data("[]".utf8).base64EncodedString(), nil), ("?", nil),
      (Data(String(repeating: " ", count: 10_000).utf8).base64EncodedString(), nil),
    ] as [(String, String?)])
  func `a claims challenge is answered once`(sent: String, asked: String?) async throws {
    let refused = HTTPResponse(
      status: 401,
      headers: [
        "WWW-Authenticate":
          "Bearer realm=\"\", authorization_uri=\"https://login.example.com\", error=\"insufficient_claims\", "
          + "claims=\"\(sent)\""
      ])
    let http = ScriptedHTTPClient { _ in .success(refused) }
    let source = ScriptedSessionSource(
      Array(repeating: .success(.sample(receivedAt: Date(timeIntervalSince1970: 0))), count: 20))
    let client = http.authorized(by: source, for: ["https://api.example.com"])
      .steppingUp(users, by: users) { RequirementCredentials(requirements: $0) }
    #expect(await client.result(of: request).error == .insufficientUserAuthentication)
    #expect(users.signIns.map(\.claims) == (asked == nil ? [] : [asked]))
    // Before the sign-in and after it a refresh sends the claims.
    #expect(http.requests.count == (asked == nil ? 1 : 4))
    for _ in 0..<5 { _ = await client.result(of: request) }
    #expect(users.signIns.count == (asked == nil ? 0 : 3), "and where it does not help, no more than three times")
  }

  @Test func `a user who declines a scope three times is not asked a fourth time`() async {
    let http = ScriptedHTTPClient { [lacking] _ in .failure(lacking("notes:write")) }
    users.answer(.failure(.declined))
    let client = client(http)
    for _ in 0..<3 { #expect(await client.result(of: request).error == .declined) }
    for _ in 0..<3 { #expect(await client.result(of: request).error == .insufficientScope) }
    #expect(users.signIns.count == 3)
  }

  @Test func `the sign-in ends with the last caller that waits for it, and a later request starts another`()
    async throws
  {
    let http = ScriptedHTTPClient { [refusal, gold, users] _ in
      users.succeeded == 0 ? .failure(refusal(gold)) : .success(HTTPResponse(status: 200))
    }
    let client = client(http)
    users.gate.close()
    let leaving = Task { [request] in await client.result(of: request).error }
    await users.gate.waitForArrivals(1)
    leaving.cancel()
    #expect(await leaving.value == .cancelled)
    while users.cancelled == 0 { await Task.yield() }
    users.gate.open()
    #expect(try await client.send(request).status == 200)
    #expect(users.succeeded == 1)
    #expect(users.cancelled == 1)
  }
}

private struct RequirementCredentials: Credentials {
  let requirements: AuthenticationRequirements
  var method: SignInMethod { SignInMethod(id: "test", displayName: "Test") }
  func validate() throws(AuthenticationError) {}
}

/// Refuses every request until a user has signed in again.
private struct AnswersBySignIn: Sendable {
  let refusal: AuthenticationError
  let users: ScriptedUsers
  let gate: Gate
  private let refusals = Tally()

  init(refusal: AuthenticationError, users: ScriptedUsers, gate: Gate) {
    self.refusal = refusal
    self.users = users
    self.gate = gate
  }

  func next() async -> Result<HTTPResponse, AuthenticationError> {
    if users.succeeded > 0 { return .success(HTTPResponse(status: 200)) }
    await gate.pass()
    refusals.add()
    return .failure(refusal)
  }

  func waitForRefusals(_ count: Int) async { await refusals.wait(for: count) }
}

/// The signed-in user, and the result of another sign-in.
private final class ScriptedUsers: SessionControl, AuthenticationUseCase {
  private struct Contents {
    var user: User?
    var scopes: [String] = []
    var answer: Result<User, AuthenticationError>?
    var signIns: [AuthenticationRequirements] = []
    var succeeded = 0
    var cancelled = 0
    var running = 0
    var mostAtOnce = 0
    var onSuccess: @Sendable (AuthenticationRequirements) -> Void = { _ in }
  }

  private let contents: Mutex<Contents>
  let gate = Gate()

  init(_ user: User) { contents = Mutex(Contents(user: user)) }

  var signIns: [AuthenticationRequirements] { contents.withLock { $0.signIns } }
  var succeeded: Int { contents.withLock { $0.succeeded } }
  var cancelled: Int { contents.withLock { $0.cancelled } }
  var mostAtOnce: Int { contents.withLock { $0.mostAtOnce } }

  func grant(_ scopes: [String]) { contents.withLock { $0.scopes = scopes } }
  func become(_ user: User?) { contents.withLock { $0.user = user } }
  func answer(_ result: Result<User, AuthenticationError>) { contents.withLock { $0.answer = result } }
  func onSuccess(_ action: @escaping @Sendable (AuthenticationRequirements) -> Void) {
    contents.withLock { $0.onSuccess = action }
  }

  func restore() async -> AuthenticationState { state }

  var state: AuthenticationState {
    guard let user = contents.withLock({ $0.user }) else { return .signedOut(.requested) }
    let scopes = contents.withLock { $0.scopes }
    let now = Date(timeIntervalSince1970: 0)
    guard let token = try? AccessToken(Secret("access-1"), receivedAt: now, scopes: scopes) else { return .unknown }
    return .signedIn(ActiveSession(session: AuthSession(user: user, tokens: SessionTokens(access: token))))
  }

  func states() -> AsyncStream<AuthenticationState> { AsyncStream { $0.finish() } }
  func signOut(scope: SignOutScope, losing loss: SignOutLoss?) async throws(AuthenticationError) { become(nil) }

  func signIn(_ request: SignInRequest) async throws(AuthenticationError) -> SignInOutcome {
    let requirements = (request.credentials as? RequirementCredentials)?.requirements ?? AuthenticationRequirements()
    contents.withLock {
      $0.signIns.append(requirements)
      $0.running += 1
      $0.mostAtOnce = max($0.mostAtOnce, $0.running)
    }
    await gate.pass()
    let (answer, action) = contents.withLock { contents in
      contents.running -= 1
      return (contents.answer ?? contents.user.map { .success($0) } ?? .failure(.notSignedIn), contents.onSuccess)
    }
    if Task.isCancelled {
      contents.withLock { $0.cancelled += 1 }
      throw .cancelled
    }
    let user = try answer.get()
    contents.withLock {
      $0.succeeded += 1
      $0.user = user
    }
    action(requirements)
    return .session(.sample(of: user, receivedAt: Date(timeIntervalSince1970: 0)))
  }
}

extension Result<HTTPResponse, AuthenticationError> {
  fileprivate var status: Int? { try? get().status }
  fileprivate var error: AuthenticationError? {
    if case .failure(let error) = self { error } else { nil }
  }
}
