import AuthenticationData
import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Synchronization
import Testing

@testable import AuthenticationOpenID

/// A provider as its preset composes it; its services answer as a test says, by path.
struct PresetBench {
  let http: ScriptedHTTPClient
  let clock: any AuthenticationClock
  let product: AuthProviderConfiguration.Product

  init(
    _ configuration: AuthProviderConfiguration, _ answers: [String: [HTTPResponse]] = [:],
    clock: any AuthenticationClock = ManualClock()
  ) throws {
    self.clock = clock
    let script = PathScript(answers)
    http = ScriptedHTTPClient { script.next($0.url.path()) }
    product = try configuration.make(
      AuthProviderConfiguration.Environment(
        httpClient: http, clock: clock, randomBytes: { [UInt8](repeating: 7, count: $0) }))
  }

  var provider: any RemoteAuthProvider { product.provider }

  /// The requests to a path, as they are on the wire.
  func sent(_ path: String) -> [[String]] { http.requests.filter { $0.url.path() == path }.map(\.wire) }

  /// The bodies of the requests to a path.
  func bodies(_ path: String) -> [String] { sent(path).compactMap(\.last) }

  func session(
    _ credentials: any Credentials, attributes: [String: Secret] = [:]
  ) async throws -> AuthSession {
    try #require(try await provider.signIn(with: credentials, attributes: attributes).session)
  }

  func challenge(
    _ credentials: any Credentials, attributes: [String: Secret] = [:]
  ) async throws -> Challenge {
    try #require(try await provider.signIn(with: credentials, attributes: attributes).challenge)
  }

  func signInFailure(
    _ credentials: any Credentials, attributes: [String: Secret] = [:]
  ) async -> AuthenticationError? {
    await failure { try await provider.signIn(with: credentials, attributes: attributes) }
  }

  func refreshFailure() async -> AuthenticationError? {
    await failure { try await provider.refresh(.sample(receivedAt: clock.now)) }
  }
}

/// Answers of each path in their order; the last one stays.
private final class PathScript: Sendable {
  private let answers: Mutex<[String: [HTTPResponse]]>

  init(_ answers: [String: [HTTPResponse]]) { self.answers = Mutex(answers) }

  func next(_ path: String) -> Answer {
    answers.withLock { answers in
      guard let list = answers[path], let first = list.first else {
        return .failure(AuthenticationError(.unsupportedMethod, "Not scripted: \(path)."))
      }
      if list.count > 1 { answers[path]?.removeFirst() }
      return .success(first)
    }
  }
}

/// Why a configuration is refused when an app is composed; nil if it is not.
func refusal(of configuration: AuthProviderConfiguration) -> AuthenticationError? {
  do throws(AuthenticationError) {
    _ = try configuration.make(
      AuthProviderConfiguration.Environment(httpClient: ScriptedHTTPClient(), clock: ManualClock()))
    return nil
  } catch {
    return error
  }
}

extension SignInOutcome {
  var session: AuthSession? { if case .session(let session) = self { session } else { nil } }
  var challenge: Challenge? { if case .challenge(let challenge) = self { challenge } else { nil } }
}
