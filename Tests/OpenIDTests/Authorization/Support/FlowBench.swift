import AuthenticationData
import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Synchronization

@testable import AuthenticationOpenID

/// A flow with everything around it scripted: bytes that count, a manual clock, metadata as a test writes it.
struct FlowBench: Sendable {
  static let issuer = "https://id.example.com"
  static let redirect = "com.example.app:/callback"

  var client: OpenIDClient
  var metadata = IssuerMetadata(
    issuer: issuer,
    endpoints: [
      .authorization: URL(string: "https://id.example.com/authorize")!,
      .token: URL(string: "https://id.example.com/token")!, .keySet: URL(string: "https://id.example.com/keys")!,
    ], sendsIssuerInResponses: true, codeChallengeMethods: ["S256"])
  let clock = ManualClock()
  let http: ScriptedHTTPClient
  let storage: any SecureStorage
  let presenter: ScriptedPresenter
  private let bytes = CountingBytes()

  init(
    storage: any SecureStorage = InMemoryStorage(), http: ScriptedHTTPClient = ScriptedHTTPClient(),
    presenter: ScriptedPresenter = ScriptedPresenter()
  ) {
    self.storage = storage
    self.http = http
    self.presenter = presenter
    client = OpenIDClient(issuer: Self.issuer, clientID: "app")
    client.redirect = .address(Self.redirect)
    client.presenter = presenter
  }

  var environment: AuthProviderConfiguration.Environment {
    AuthProviderConfiguration.Environment(
      httpClient: http, clock: clock, storage: storage, randomBytes: { bytes.next($0) })
  }

  var pending: PendingAuthorizations<AuthorizationTransaction> { PendingAuthorizations(storage, clock: clock) }

  /// A new one each time: nothing is shared but the storage.
  var flow: AuthorizationCodeFlow {
    AuthorizationCodeFlow(client: client, environment: environment, pending: pending) {
      () async throws(AuthenticationError) in metadata
    }
  }

  func failure(_ signIn: BrowserSignIn = BrowserSignIn()) async -> AuthenticationError? {
    do throws(AuthenticationError) {
      _ = try await flow.authorize(signIn)
      return nil
    } catch {
      return error
    }
  }

  func resumeFailure(_ url: String) async -> AuthenticationError? {
    do throws(AuthenticationError) {
      _ = try flow.accept(URL(string: url)!)
      return nil
    } catch {
      return error
    }
  }

  func transaction(
    state: String = "state", issuer: String = issuer, clientID: String = "app", startedAt: Date? = nil
  ) -> AuthorizationTransaction {
    AuthorizationTransaction(
      state: state, nonce: "nonce", verifier: Secret("verifier"), issuer: issuer, clientID: clientID,
      redirectURI: Self.redirect, startedAt: startedAt ?? clock.now, scopes: ["openid"],
      requirements: AuthenticationRequirements(acrValues: ["gold"], maxAge: .seconds(60)),
      proofKey: Secret("key"), expectsIssuer: true)
  }
}

/// 1, 1, 1 … for the first call, 2, 2, 2 … for the second.
final class CountingBytes: Sendable {
  private let calls = Mutex<UInt8>(0)

  func next(_ count: Int) -> [UInt8] {
    calls.withLock { calls in
      calls += 1
      return [UInt8](repeating: calls, count: count)
    }
  }
}
