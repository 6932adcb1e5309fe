import AuthenticationDomainTesting
import AuthenticationKit
import AuthenticationOpenID
import AuthenticationPasskeys
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation

/// What is behind the product: its providers, the clock and the storage, and the root that is composed of them.
@MainActor
final class ShowcaseWorld {
  nonisolated static let relyingPartyID = "localhost"

  let clock = TravelClock()
  let recorder = Recorder()
  let storage: RecordingStorage
  let folder = TemporaryFolder()
  let providers: [any ShowcaseProvider]
  let supabase: OwnSupabase
  private let compose: @Sendable (any ShowcaseProvider) throws(AuthenticationError) -> MainRoot
  private(set) var root: MainRoot
  /// How often the app was launched.
  private(set) var launch = 0
  private(set) var provider: any ShowcaseProvider
  var isProviderDown = false
  private var following: Task<Void, Never>

  /// Starts the servers, and launches the app.
  ///
  /// - Parameters:
  ///   - origin: where the pages are, such as `http://localhost:8080`: for passkeys, and for the redirect of a browser.
  ///   - authenticator: asks the person for a passkey.
  ///   - presenter: shows an issuer's page.
  init(
    origin: String, authenticator: some PasskeyAuthenticator, presenter: some AuthorizationPresenter
  ) async throws(AuthenticationError) {
    let (clock, recorder, folder) = (clock, recorder, folder)
    let api = OwnAPI(passkeyOrigin: origin, clock: clock, recorder: recorder)
    let supabase = OwnSupabase(clock: clock, recorder: recorder)
    self.supabase = supabase
    providers = [api, OwnIssuer(clock: clock, recorder: recorder), supabase]
    for provider in providers {
      do { try await provider.start() } catch { throw .portTaken(0) }
    }
    let storage = RecordingStorage(.stage(in: folder.url), recorder: recorder)
    self.storage = storage
    let app = ProductLine.App(presenter: presenter, port: URL(string: origin)?.port)
    // A thousand calls at once may take a busy machine longer than an app would wait.
    let transports = (try SystemHTTPClient.shared, try SystemHTTPClient(deadline: .seconds(300)))
    compose = { provider throws(AuthenticationError) in
      try MainRoot(provider.line.configuration(at: provider.address, for: app)) {
        $0.storage = .stage(storage, in: folder.url)
        $0.clock = clock
        $0.providerTransport = RecordingTransport(upstream: transports.0, recorder: recorder)
        $0.apiTransport = RecordingTransport(upstream: transports.1, recorder: recorder)
        $0.onSignIn = { recorder.step(.decorators, "intercepting", "the app's own action ran for \($0.id)") }
        $0.onAccountChange = { recorder.step(.decorators, "intercepting", "the account changed: \($0)") }
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
    try? FileManager.default.removeItem(at: folder.url)
  }
}
