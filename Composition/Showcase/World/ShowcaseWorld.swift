import AuthenticationAccount
import AuthenticationDomainTesting
import AuthenticationKit
import AuthenticationOpenID
import AuthenticationPasskeys
import AuthenticationSupabase
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation

/// The world behind the product: its providers, the clock and the storage, and the root that is composed of them.
@MainActor
final class ShowcaseWorld: Stage {
  nonisolated static let relyingPartyID = "localhost"

  let clock = TravelClock()
  let recorder = Recorder()
  let storage: RecordingStorage
  private let temporary = TemporaryFolder()
  var folder: URL { temporary.url }
  let providers: [any ShowcaseProvider]
  let supabase: OwnSupabase
  private let compose: @Sendable (any ShowcaseProvider) throws(AuthenticationError) -> MainRoot
  private(set) var root: MainRoot
  /// How often the app was launched.
  private(set) var launch = 0
  private(set) var provider: any ShowcaseProvider
  var isProviderDown = false
  private var following: Task<Void, Never>

  var account: any AccountUseCase {
    root.manager.account { [recorder] in
      recorder.step(.decorators, "intercepting", "the account changed: \($0)")
    }
  }

  /// Starts the servers, and launches the app.
  ///
  /// - Parameters:
  ///   - origin: where the pages are, such as `http://localhost:8080`: for passkeys, and for the redirect of a browser.
  ///   - authenticator: asks the user for a passkey.
  ///   - presenter: shows an issuer's page.
  init(
    origin: String, authenticator: some PasskeyAuthenticator, presenter: some AuthorizationPresenter
  ) async throws(AuthenticationError) {
    let (clock, recorder, folder) = (clock, recorder, temporary.url)
    let api = OwnAPI(passkeyOrigin: origin, clock: clock, recorder: recorder)
    let supabase = OwnSupabase(clock: clock, recorder: recorder)
    self.supabase = supabase
    providers = [api, OwnIssuer(clock: clock, recorder: recorder), supabase]
    for provider in providers {
      do { try await provider.start() } catch { throw .portTaken(0) }
    }
    let storage = RecordingStorage(.stage(in: folder), recorder: recorder)
    self.storage = storage
    let app = ProductLine.App(presenter: presenter, port: URL(string: origin)?.port)
    // A thousand calls at once may take a busy machine longer than an app would wait.
    let transports = (try SystemHTTPClient.shared, try SystemHTTPClient(deadline: .seconds(300)))
    compose = { provider throws(AuthenticationError) in
      try MainRoot(provider.line.configuration(provider.address, app)) {
        $0.storage = .stage(storage, in: folder)
        $0.clock = clock
        $0.providerTransport = RecordingTransport(upstream: transports.0, recorder: recorder)
        $0.apiTransport = RecordingTransport(upstream: transports.1, recorder: recorder)
        $0.onSignIn = { recorder.step(.decorators, "intercepting", "the app's own action ran for \($0.id)") }
        if provider.line.id == ProductLine.api.id {
          $0.methods = [.password, .passkey(relyingPartyID: Self.relyingPartyID) { _ in authenticator }]
        }
        if provider.line.id == ProductLine.supabase.id {
          $0.signInLink = SignInLink(host: "app.example.com", path: "/sign-in")
        }
      }
    }
    provider = api
    root = try compose(api)
    following = recorder.follow(root)
  }

  /// Composes the app with another provider. Its session, if it has one, is found again.
  func choose(_ id: ProductLine.ID) async {
    guard let chosen = providers.first(where: { $0.line.id == id }) else { return }
    recorder.begin("Compose with \(chosen.line.title)")
    if isProviderDown { try? await setProviderDown(false) }
    provider = chosen
    try? relaunch()
  }

  func relaunch() throws {
    following.cancel()
    root = try compose(provider)
    launch += 1
    following = recorder.follow(root)
    recorder.touch()
  }

  func stop() async {
    following.cancel()
    for provider in providers { await provider.stop() }
    try? FileManager.default.removeItem(at: folder)
  }

  var line: ProductLine { provider.line }
  /// Of the identity server.
  var apiURL: URL { URL(string: providers[0].address) ?? URL(filePath: "/") }
  /// Where a browser is sent to sign in.
  var issuerOrigins: [String] { providers.filter { $0.line.id == ProductLine.openID.id }.map(\.address) }

  /// Follows the link of a mail as a browser does.
  ///
  /// - Returns: the link into the app to which it leads; nil where the message has none.
  func follow(_ message: Int) -> Secret? {
    let letter = recorder.backstage.mailbox.first { $0.number == message }
    return letter?.link.flatMap { supabase.follow($0) }.map { Secret($0.absoluteString) }
  }

  /// All there is to show, as it is now.
  var snapshot: Backstage {
    var backstage = recorder.backstage
    backstage.session = root.manager.state.activeSession.map(card)
    backstage.clockOffset = secondsAhead
    for step in ShowcaseEvent.all { backstage.switches[step.id] = step.lasting?.isOn(self) }
    return backstage
  }

  private func card(_ active: ActiveSession) -> Backstage.SessionCard {
    let tokens = active.session.tokens
    let place = storage.isLocked ? "files, locked now" : "files"
    return Backstage.SessionCard(
      user: active.session.user.name ?? active.session.user.id, accessToken: tokens.access.value.fingerprint,
      refreshToken: tokens.refresh?.fingerprint,
      secondsLeft: tokens.access.expiresAt.map { Int($0.timeIntervalSince(clock.now)) },
      lifetime: tokens.access.lifetime.map { Int($0.components.seconds) }, freshness: "\(active.freshness)",
      storage: active.unsaved == nil ? place : "\(place): not saved yet")
  }

  var app: MainRoot? { root }

  /// Plays the step of this id; others are ignored.
  func perform(_ id: ShowcaseEvent.ID) async {
    guard let step = ShowcaseEvent.all.first(where: { $0.id == id }) else { return }
    let isEnding = step.lasting?.isOn(self) ?? false
    recorder.begin(isEnding ? step.lasting?.ending ?? step.title : step.title)
    do {
      try await step.play(self)
    } catch {
      recorder.step(.state, "the step failed", (error as? AuthenticationError)?.message ?? "\(error)")
    }
    recorder.touch()
  }

  func report(_ outcomes: [String: Int]) {
    for (outcome, count) in outcomes.sorted(by: { $0.key < $1.key }) {
      recorder.step(.state, count == 1 ? "a call was answered" : "\(count) calls were answered", outcome)
    }
  }

  func report(secondProcess outcome: String) { recorder.step(.store, "a second process used the session", outcome) }
}

/// The state behind the product, as a value: no token, no password, no code but those in the mailbox.
struct Backstage: Sendable, Equatable {
  /// Where the data passes, in order.
  enum Station: String, Sendable, CaseIterable {
    case intent, decorators, provider, store, state

    var name: String { rawValue.capitalized }
  }

  /// Something that happened at a station.
  struct Step: Sendable, Equatable {
    let station: Station
    let title: String
    let detail: String
  }

  struct SessionCard: Sendable, Equatable {
    let user: String
    /// The first characters of a digest: enough to see that one token follows another.
    let accessToken: String
    let refreshToken: String?
    /// Until the access token expires.
    let secondsLeft: Int?
    let lifetime: Int?
    let freshness: String
    let storage: String
  }

  /// Since the last intent.
  var trail = Repeated<Step>()
  /// Nil if no user is signed in.
  var session: SessionCard?
  /// The requests that the servers received.
  var requests = Repeated<LoopbackExchange>()
  var mailbox: [Letter] = []
  /// Which switches are on; a switch that only does something is not in here.
  var switches: [String: Bool] = [:]
  /// Seconds that the clock is ahead.
  var clockOffset = 0
}

/// One of the providers that the same product can be composed with.
struct ProductLine: Sendable, Identifiable {
  let id: String
  let title: String
  /// The methods and factors that a user may add to the account.
  let factors: [Challenge.Kind]
  /// The users who can sign in.
  let hint: String
  let configuration: @Sendable (_ address: String, _ app: App) -> AuthProviderConfiguration

  /// The facts of the app that a provider needs.
  struct App: Sendable {
    var presenter: (any AuthorizationPresenter)?
    /// Where the browser returns to, on this machine; nil for any port.
    var port: Int?
  }

  static let all = [api, openID, supabase]

  static let api = Self(
    id: "api", title: "Own API", factors: [.passkey, .smsCode],
    hint: "ada / correct horse · grace / battery staple · mary / proof of stake (with a second factor)"
  ) { address, _ in
    var contract = APIContract.standard
    contract.methods = [.password, .passkey]
    let password = contract.signInRequest
    contract.signInRequest = { request throws(AuthenticationError) in
      request.credentials is PasskeyCredentials ? APIRequest(.post, "auth/passkey") : try password(request)
    }
    return .api(baseURL: address, contract: contract, account: .standard)
  }

  static let openID = Self(
    id: "openid", title: "OpenID Connect", factors: [], hint: "ada / correct horse, on the issuer's own page"
  ) { issuer, app in
    var client = OpenIDClient(issuer: issuer, clientID: "app")
    client.presenter = app.presenter
    client.redirect = app.port.map { .loopback(port: UInt16($0)) } ?? .loopback()
    return .openIDConnect(client)
  }

  static let supabase = Self(
    id: "supabase", title: "Supabase", factors: [.enrolment],
    hint: "ada@example.com / correct horse · +49 170 1234567 · mary@example.com / proof of stake (two factors)"
  ) { address, _ in
    var project = SupabaseProject(url: address, anonKey: "anon-key")
    project.redirectURL = "https://app.example.com/sign-in"
    return .supabase(project)
  }
}
