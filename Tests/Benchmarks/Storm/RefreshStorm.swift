import AuthenticationData
import AuthenticationDomain
import AuthenticationKit
import Foundation
import Synchronization

/// Storms of callers against one refresh over real HTTP: ours and the probe in turn, with one client and one server.
enum RefreshStorm {
  static func figures() async throws -> [Figure] {
    let stage = try Stage()
    var figures: [Figure] = []
    for shape in Shape.allCases {
      for (callers, limit, rounds) in [(100, 3.0, 15), (1_000, 6, 11), (10_000, 25, 9)] {
        let storm = Storm(callers: callers, shape: shape, server: stage.server)
        figures += try await stage.compare(storm, limit: limit, rounds: rounds)
      }
    }
    return figures
  }
}

extension RefreshStorm {
  /// The common part of all storms.
  private struct Stage {
    let server: TokenServer
    let client: SystemHTTPClient
    let origin: Origin
    let resource: HTTPRequest

    init() throws {
      server = try TokenServer()
      client = try SystemHTTPClient()
      guard let url = URL(string: "\(server.baseURL)/items"), let origin = Origin(url) else {
        throw URLError(.badURL)
      }
      self.origin = origin
      resource = HTTPRequest(.get, url)
    }

    func compare(_ storm: Storm, limit: Double, rounds: Int) async throws -> [Figure] {
      _ = (await storm.run(try await ours(storm)), await storm.run(try probe(storm)))
      let allocations = (await storm.allocations(try await ours(storm)), await storm.allocations(try probe(storm)))
      var pairs: [(ours: Storm.Outcome, probe: Storm.Outcome)] = []
      for _ in 0..<rounds {
        pairs.append((await storm.run(try await ours(storm)), await storm.run(try probe(storm))))
      }
      let ours = pairs.map(\.ours.milliseconds).median
      let probe = pairs.map(\.probe.milliseconds).median
      let name = "storm, \(storm.shape.rawValue), \(storm.callers)"
      var figure = Figure("\(name): beyond 50 ms", ours, .milliseconds, atMost: limit, allocations: allocations.0)
      if let broken = pairs.map(\.ours).first(where: { !$0.isClean }) {
        figure.fault =
          "\(broken.tally.refreshes) refreshes, \(broken.tally.replays) replays, \(broken.errors) errors"
      }
      let best = (pairs.map(\.ours.milliseconds).min() ?? 0, pairs.map(\.probe.milliseconds).min() ?? 0)
      return [
        figure,
        Figure(
          "  against a lock and continuations (\(probe.short) ms)", ours / probe, .times, atMost: 1.6,
          allocations: allocations.1),
        Figure("  the best round, against \(best.1.short) ms", best.0, .milliseconds),
      ]
    }

    /// A signed-in user who needs a refresh.
    private func ours(_ storm: Storm) async throws -> Storm.Call {
      let number = UInt64.random(in: .min ... .max)
      let isRefused = storm.shape == .refused
      let session =
        isRefused
        ? try Samples.session(accessToken: "old-\(number)", refreshToken: "ours-\(number)")
        : try Samples.expiredSession(accessToken: "old-\(number)", refreshToken: "ours-\(number)")
      let store = InMemoryStorage().sessionStore()
      try store.save(SessionRecord(session: session))
      let root = try MainRoot(.api(baseURL: server.baseURL)) {
        $0.storage = .always(store)
        $0.providerTransport = client
      }
      await root.manager.restore()
      guard isRefused else { return { (try? await root.manager.validSession()) != nil } }
      let api = Refusing(session.authorization.reveal()).authorized(by: root.manager, for: [origin])
      return { [resource] in (try? await api.send(resource))?.status == 200 }
    }

    private func probe(_ storm: Storm) throws -> Storm.Call {
      let number = UInt64.random(in: .min ... .max)
      let isRefused = storm.shape == .refused
      guard let url = URL(string: "\(server.baseURL)/auth/refresh") else { throw URLError(.badURL) }
      let request = HTTPRequest(
        .post, url, headers: ["Content-Type": "application/json", "Accept": "application/json"],
        body: try JSONEncoder().encode(["refreshToken": "probe-\(number)"]))
      let probe = Probe(token: "old-\(number)", isValid: isRefused, request: request, client: client)
      guard isRefused else { return { await probe.token() != nil } }
      let api = Refusing("Bearer old-\(number)")
      return { [resource] in
        var request = resource
        guard let token = await probe.token() else { return false }
        request.headers["Authorization"] = "Bearer \(token)"
        guard let first = try? await api.send(request), first.status == 401 else { return true }
        guard let refreshed = await probe.token(rejecting: token) else { return false }
        request.headers["Authorization"] = "Bearer \(refreshed)"
        return (try? await api.send(request))?.status == 200
      }
    }
  }
}

/// An API that refuses one token with 401 and takes any other.
private struct Refusing: HTTPClient {
  private static let refusal = HTTPResponse(
    status: 401, headers: ["WWW-Authenticate": "Bearer error=\"invalid_token\""])
  private static let welcome = HTTPResponse(status: 200)
  private let refused: String

  init(_ refused: String) { self.refused = refused }

  func send(_ request: HTTPRequest) async throws(AuthenticationError) -> HTTPResponse {
    request.headers["Authorization"] == refused ? Self.refusal : Self.welcome
  }
}
