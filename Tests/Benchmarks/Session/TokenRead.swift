import AuthenticationData
import AuthenticationDomain
import AuthenticationWorkload
import Foundation
import Synchronization

/// Reading a valid session, as each request does.
enum TokenRead {
  static func figures() async throws -> [Figure] {
    let resource = ProtectedResource.resource("https://orders.example.com")
    let manager = try await AuthManager.signedIn(try Samples.session(), with: [resource, .resource("urn:bills")])
    let source = try manager.source(for: resource)
    let ofResource = Subject(20_000) { count in try await readResource(source, count) }
    let byHand = ByHand(try Samples.session())
    let subject = Subject(20_000) { count in try await read(manager, count) }
    let limit = Subject(20_000) { count in
      for _ in 0..<count { blackHole(byHand.session()) }
    }
    let times = try await Timing.compare(rounds: 101, subject, limit)
    let allocations = try await Allocations.perOperation(subject.operations, subject.body)
    let timesOfResource = try await Timing.compare(rounds: 101, ofResource, limit)
    let allocationsOfResource = try await Allocations.perOperation(ofResource.operations, ofResource.body)
    let tokens = try ServiceTokens(OpenIDClient(issuer: OneToken.issuer, clientID: "app")) { $0.transport = OneToken() }
    _ = try await tokens.validToken()
    let ofService = Subject(20_000) { count in try await readToken(tokens, count) }
    let timesOfService = try await Timing.compare(rounds: 101, ofService, limit)
    let allocationsOfService = try await Allocations.perOperation(ofService.operations, ofService.body)
    return [
      Figure(
        "read a valid session", times.ours, .nanoseconds, atMost: 60, allocations: allocations, allocationsAtMost: 0),
      Figure("  a lock and a clock by hand", times.other, .nanoseconds),
      Figure("  ours to that", times.ratio, .times, atMost: 1.2),
      Figure(
        "read the token of a resource", timesOfResource.ours, .nanoseconds, atMost: 60,
        allocations: allocationsOfResource, allocationsAtMost: 0),
      Figure("  a lock and a clock by hand", timesOfResource.other, .nanoseconds),
      Figure("  ours to that", timesOfResource.ratio, .times, atMost: 1.2),
      Figure(
        "read the token of a service", timesOfService.ours, .nanoseconds, atMost: 60,
        allocations: allocationsOfService, allocationsAtMost: 0),
      Figure("  a lock and a clock by hand", timesOfService.other, .nanoseconds),
      Figure("  ours to that", timesOfService.ratio, .times, atMost: 1.2),
    ]
  }

  @concurrent
  private static func readResource(_ source: ResourceSource, _ count: Int) async throws(AuthenticationError) {
    for _ in 0..<count { blackHole(try await source.validSession()) }
  }

  @concurrent
  private static func readToken(_ tokens: ServiceTokens, _ count: Int) async throws(AuthenticationError) {
    for _ in 0..<count { blackHole(try await tokens.validToken()) }
  }

  /// As an app's own request code runs: on no actor.
  @concurrent
  private static func read(_ manager: AuthManager, _ count: Int) async throws(AuthenticationError) {
    for _ in 0..<count { blackHole(try await manager.validSession()) }
  }
}

/// An issuer that gives one token, which lasts for an hour.
private struct OneToken: HTTPClient {
  static let issuer = "https://id.example.com"

  func send(_ request: HTTPRequest) async throws(AuthenticationError) -> HTTPResponse {
    let body =
      request.method == .get
      ? #"{"issuer":"\#(Self.issuer)","token_endpoint":"\#(Self.issuer)/token"}"#
      : #"{"access_token":"token","token_type":"Bearer","expires_in":3600}"#
    return HTTPResponse(status: 200, headers: ["Content-Type": "application/json"], body: Data(body.utf8))
  }
}

/// The least that could be done: one lock, one clock, one comparison.
private final class ByHand: Sendable {
  private let contents: Mutex<(session: AuthSession?, refreshAt: Duration)>
  private let start = ContinuousClock.now

  init(_ session: AuthSession) {
    contents = Mutex((session, .seconds(3_600)))
  }

  func session() -> AuthSession? {
    let uptime = start.duration(to: .now)
    return contents.withLock { uptime < $0.refreshAt ? $0.session : nil }
  }
}
