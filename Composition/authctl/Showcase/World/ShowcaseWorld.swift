import AuthenticationDomainTesting
import AuthenticationKit
import AuthenticationOpenID
import AuthenticationPasskeys
import AuthenticationSupabase
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation

/// The servers, the clock and the storage behind the product, and the root that is composed of them.
@MainActor
final class ShowcaseWorld {
  static let relyingPartyID = "localhost"

  private let clock = TravelClock()
  private let api: LoopbackIdentityServer
  private let issuer: LoopbackOpenIDIssuer
  private let supabase: LoopbackSupabase
  private let make: @MainActor (ProductLine, ShowcaseWorld) throws(AuthenticationError) -> MainRoot
  private let storage = InMemoryStorage()
  private let sentCodes = CodeBox()
  private var urls: (api: URL, issuer: String, supabase: URL)
  private(set) var root: MainRoot
  private(set) var launch = 0
  private(set) var line = ProductLine.api
  private var trail: [Backstage.Step] = []
  private var listeners: [AsyncStream<Void>.Continuation] = []
  private var following: Task<Void, Never>?
  let lines = [ProductLine.api, .openID, .supabase]
  let switches = [
    ShowcaseStep(id: "expire", title: "Expire the token", sentence: "The next call refreshes it first."),
    ShowcaseStep(id: "jump", title: "Jump the clock", sentence: "An hour passes, here and at the provider."),
    ShowcaseStep(id: "restart", title: "Kill and restart", sentence: "Nothing is left of the app but its storage."),
  ]

  init(
    origin: String, authenticator: some PasskeyAuthenticator, presenter: some AuthorizationPresenter
  ) async throws(AuthenticationError) {
    var options = LoopbackIdentityServer.Options(accessTokenLifetime: .seconds(120), users: Tour.users)
    options.passkeyOrigin = origin
    options.confirmsSignUps = true
    options.onCode = { [sentCodes] name, code in sentCodes.add(name, code) }
    api = LoopbackIdentityServer(options: options, clock: clock)
    var issuerOptions = LoopbackOpenIDIssuer.Options()
    issuerOptions.deviceInterval = .seconds(1)
    issuer = LoopbackOpenIDIssuer(issuerOptions, clock: clock)
    supabase = LoopbackSupabase(clock: clock)
    do {
      urls = (try await api.start(), try await issuer.start(), try await supabase.start())
    } catch {
      throw .portTaken(0)
    }
    issuer.person = .types
    supabase.addAccount(email: "ada@example.com", password: "correct horse", phone: "+491701234567")
    let (urls, clock, storage) = (urls, clock, storage)
    make = { line, _ throws(AuthenticationError) in
      try MainRoot(Self.provider(line, urls, presenter)) {
        $0.storage = .secure(storage)
        $0.clock = clock
        if line.id == "api" {
          $0.methods = [.password, .passkey(relyingPartyID: Self.relyingPartyID) { _ in authenticator }]
        }
        if line.id == "supabase" { $0.signInLink = SignInLink(host: "app.example.com", path: "/sign-in") }
      }
    }
    root = try MainRoot(Self.provider(.api, urls, presenter))
    root = try make(.api, self)
    follow()
  }

  private static func provider(
    _ line: ProductLine, _ urls: (api: URL, issuer: String, supabase: URL), _ presenter: some AuthorizationPresenter
  ) -> AuthProviderConfiguration {
    switch line.id {
    case "openid":
      var client = OpenIDClient(issuer: urls.issuer, clientID: "app")
      client.presenter = presenter
      return .openIDConnect(client)
    case "supabase":
      var project = SupabaseProject(url: urls.supabase.absoluteString, anonKey: "anon-key")
      project.redirectURL = "https://app.example.com/sign-in"
      return .supabase(project)
    default:
      var contract = APIContract.standard
      contract.account = .standard
      contract.methods = [.password, .passkey]
      let password = contract.signInRequest
      contract.signInRequest = { credentials throws(AuthenticationError) in
        credentials is PasskeyCredentials ? APIRequest(.post, "auth/passkey") : try password(credentials)
      }
      return .api(baseURL: urls.api, contract: contract)
    }
  }

  var apiURL: URL { urls.api }
  var issuerOrigins: [String] { [urls.issuer] }
  var resource: URL {
    switch line.id {
    case "openid": URL(string: urls.issuer + "/resource") ?? urls.api
    case "supabase": urls.supabase.appending(path: "auth/v1/user")
    default: urls.api.appending(path: "api/notes")
    }
  }

  func choose(_ id: String) async {
    guard let line = lines.first(where: { $0.id == id }) else { return }
    self.line = line
    restart()
  }

  func perform(_ id: String) async {
    switch id {
    case "expire":
      api.revokeAllAccessTokens()
      issuer.revokeAllAccessTokens()
    case "jump": clock.travel(.seconds(3_600))
    default: restart()
    }
    tell()
  }

  func follow(_ message: Int) -> Secret? {
    guard let link = supabase.messages.indices.contains(message) ? supabase.messages[message].link : nil else {
      return nil
    }
    return supabase.follow(link).map { Secret($0.absoluteString) }
  }

  func recordIntent(_ name: String) {
    trail = [Backstage.Step(number: 1, station: .intent, title: name)]
    tell()
  }

  func changes() -> AsyncStream<Void> {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    listeners.append(continuation)
    return stream
  }

  var snapshot: Backstage {
    var backstage = Backstage()
    backstage.trail = trail
    if let active = root.manager.state.activeSession {
      let token = active.session.accessToken
      backstage.session = Backstage.SessionCard(
        user: active.session.user.name ?? active.session.user.id, accessToken: "•••• a41f",
        refreshToken: "•••• 09c2", secondsLeft: token.expiresAt.map { Int($0.timeIntervalSince(clock.now)) },
        lifetime: 120, freshness: "\(active.freshness)", storage: "memory")
    }
    let counters = api.counters
    backstage.requests = LoopbackIdentityServer.Endpoint.allCases.enumerated().compactMap { index, endpoint in
      let count = counters.requests(on: endpoint)
      return count == 0
        ? nil : .init(number: index, method: "POST", path: endpoint.path, status: 200, count: count)
    }
    backstage.mailbox =
      sentCodes.messages
      + supabase.messages.enumerated().map { index, message in
        .init(
          number: index, address: message.address, type: message.type, code: message.code, hasLink: message.link != nil)
      }
    backstage.clockOffset = Int(clock.uptime / .seconds(1) - SystemClock().uptime / .seconds(1))
    return backstage
  }

  func stop() async {
    await api.stop()
    await issuer.stop()
    await supabase.stop()
  }

  private func restart() {
    if let root = try? make(line, self) { self.root = root }
    launch += 1
    follow()
    tell()
  }

  private func follow() {
    following?.cancel()
    following = Task { [weak self, states = root.manager.states()] in
      for await state in states {
        guard let self else { return }
        trail.append(
          .init(number: trail.count + 1, station: .state, title: state.user == nil ? "signed out" : "signed in"))
        tell()
      }
    }
  }

  private func tell() { for listener in listeners { listener.yield() } }
}

final class CodeBox: Sendable {
  private let content = AwaitableState<[Backstage.Message]>([])
  func add(_ name: String, _ code: String) {
    content.update {
      $0.append(.init(number: 1_000 + $0.count, address: name, type: "code", code: code, hasLink: false))
    }
  }
  var messages: [Backstage.Message] { content.value }
}
