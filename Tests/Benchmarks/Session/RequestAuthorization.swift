import AuthenticationData
import AuthenticationDomain
import Foundation
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Authorizing a `URLRequest`, on one thread and on two.
enum RequestAuthorization {
  static func figures() async throws -> [Figure] {
    let manager = try await AuthManager.signedIn(try Samples.session())
    guard let url = try request().url, let origin = Origin(url) else { return [] }
    let authorizer = URLRequestAuthorizer(source: manager, allowedOrigins: [origin])
    let made = Subject(2_000) { count in
      for _ in 0..<count { blackHole(URLRequest(url: url)) }
    }
    let handedOver = Subject(2_000) { count in
      for _ in 0..<count { blackHole(try await authorizer.authorized(URLRequest(url: url))) }
    }
    let kept = Subject(2_000) { count in
      let request = try request()
      for _ in 0..<count { blackHole(try await authorizer.authorized(request)) }
    }
    let header = try Samples.session().accessToken.authorization.reveal()
    let byHand = Subject(2_000) { count in
      let request = try request()
      for _ in 0..<count {
        var request = request
        request.allHTTPHeaderFields = ["Authorization": header]
        blackHole(request)
      }
    }
    let threads = try await TwoThreads(kept.body).times(rounds: 25, operations: 60_000)
    let usual = try await Timing.compare(rounds: 101, handedOver, made)
    let copied = try await Timing.compare(rounds: 101, kept, byHand)
    let allocations = try await Allocations.perOperation(handedOver.operations, handedOver.body)
    let allocationsOfCopy = try await Allocations.perOperation(kept.operations, kept.body)
    return [
      Figure(
        "make a URLRequest, and hand it over to be authorized", usual.ours / 1_000, .microseconds, atMost: 1,
        allocations: allocations, allocationsAtMost: 6),
      Figure("  make one", usual.other / 1_000, .microseconds),
      Figure(
        "authorize a URLRequest that is kept, and so copied", copied.ours / 1_000, .microseconds, atMost: 1,
        allocations: allocationsOfCopy, allocationsAtMost: 6),
      Figure("  copy it, and assign one header by hand", copied.other / 1_000, .microseconds),
      Figure("authorize on two threads, against one: best tenth", threads.bestTenth, .times, atMost: 0.65),
      Figure("  median, whatever else this machine does", threads.median, .times),
    ]
  }

  /// Each thread has a request of its own, as apps do; session and authorizer are shared.
  private static func request() throws -> URLRequest {
    guard let url = URL(string: "https://api.example.com/v1/items?page=2") else { throw URLError(.badURL) }
    return URLRequest(url: url)
  }
}
