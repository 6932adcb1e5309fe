import AuthenticationData
import AuthenticationDomain
import AuthenticationKit
import Counters
import Foundation
import Synchronization
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// GET over kept connections on loopback, compared with libcurl called from C and with URLSession.
enum TransportCost {
  static func figures() async throws -> [Figure] {
    let server = try KeepAliveServer()
    let request = HTTPRequest(.get, server.url)
    let (ours, theirs) = (try SystemHTTPClient(), Session())
    guard let bare = Bare(server.url), let hop = BareHop(server.url) else { return [] }
    let one = subject(200, request, ours)
    let bareOne = Subject(200) { count in
      for _ in 0..<count { guard bare.get() else { throw URLError(.networkConnectionLost) } }
    }
    let hopOne = Subject(200) { count in
      for _ in 0..<count { guard await hop.get() else { throw URLError(.networkConnectionLost) } }
    }
    let pair = try await Timing.compare(rounds: 51, one, bareOne)
    let floor = try await Timing.compare(rounds: 51, hopOne, bareOne)
    let slow = try await Timing.median(rounds: 11, subject(100, request, theirs))
    let time = (
      ours: try await processorTime(5, one), bare: try await processorTime(5, bareOne),
      hop: try await processorTime(5, hopOne)
    )
    let many = (ours: try await together(16, request, ours), theirs: try await together(16, request, theirs))
    return [
      Figure("GET over a kept connection", pair.ours / 1_000, .microseconds),
      Figure("  against libcurl from C (\((pair.other / 1_000).short) µs)", pair.ratio, .times, atMost: 1.6),
      Figure("  the same libcurl on a thread of its own", floor.ratio, .times),
      Figure("    its processor time", time.hop / time.bare, .times),
      Figure("  URLSession", slow / 1_000, .microseconds),
      Figure(
        "  processor time, against libcurl from C (\(time.bare.short) µs)", time.ours / time.bare, .times, atMost: 3),
      Figure("16 at once, \(Int(1_000_000 / many.ours))/s: time for one", many.ours, .microseconds),
      Figure(
        "  against URLSession (\(Int(1_000_000 / many.theirs))/s)", many.ours / many.theirs, .times, atMost: 0.1),
    ] + (try await idle(request)) + [try await overhead()]
  }

  private static func subject(_ operations: Int, _ request: HTTPRequest, _ client: some HTTPClient) -> Subject {
    Subject(operations) { count in
      for _ in 0..<count { blackHole(try await client.send(request)) }
    }
  }

  /// Microseconds of this process's processor time for one operation.
  private static func processorTime(_ rounds: Int, _ subject: Subject) async throws -> Double {
    let start = clock()
    for _ in 0..<rounds { try await subject.body(subject.operations) }
    return Double(clock() - start) / Double(rounds * subject.operations)
  }

  /// Microseconds for one request, while so many are in flight.
  private static func together(_ count: Int, _ request: HTTPRequest, _ client: some HTTPClient) async throws -> Double {
    var times: [Double] = []
    for round in 0..<6 {
      let start = ContinuousClock.now
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<count {
          group.addTask { for _ in 0..<100 { blackHole(try await client.send(request)) } }
        }
        try await group.waitForAll()
      }
      if round > 0 { times.append(start.duration(to: .now) / .microseconds(1) / Double(count * 100)) }
    }
    return times.median
  }
}

/// A URLSession with its defaults.
private struct Session: HTTPClient {
  func send(_ request: HTTPRequest) async throws(AuthenticationError) -> HTTPResponse {
    guard let (body, _) = try? await URLSession.shared.data(from: request.url) else { throw .notSignedIn }
    return HTTPResponse(status: 200, body: body)
  }
}

// MARK: - Memory

extension TransportCost {
  private static func idle(_ request: HTTPRequest) async throws -> [Figure] {
    let pin = Data(repeating: 1, count: 32).base64EncodedString()
    return [
      Figure("memory of an idle client", try await memory(500, .system, request), .kilobytes, atMost: 10),
      Figure(
        "  with trust, and so a thread, of its own", try await memory(50, ServerTrust(pins: [pin]), request),
        .kilobytes,
        atMost: 300),
    ]
  }

  /// Kilobytes for one client that has sent a request, its kept connection included.
  private static func memory(_ count: Int, _ trust: ServerTrust, _ request: HTTPRequest) async throws -> Double {
    var clients = [try SystemHTTPClient(trust: trust)]
    _ = try await clients[0].send(request)
    let before = resident()
    for _ in 0..<count {
      let client = try SystemHTTPClient(trust: trust)
      _ = try await client.send(request)
      clients.append(client)
    }
    defer { withExtendedLifetime(clients) {} }
    return Double(resident() - before) / Double(count)
  }

  /// In kilobytes; pages have 4.
  private static func resident() -> Int {
    let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
    return text.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 * 4 } ?? 0
  }
}

// MARK: - Above the transport

extension TransportCost {
  /// The cost that the API client of a signed-in root adds to a transport that responds at once.
  private static func overhead() async throws -> Figure {
    let request = HTTPRequest(.get, URL(string: "https://api.example.com/items")!)
    let origin = Origin(request.url)!
    let store = InMemoryStorage().sessionStore()
    try store.save(SessionRecord(session: try Samples.session()))
    let configuration = AuthProviderConfiguration(name: "unused") { _ in
      .init(provider: UnusedProvider(), allowedOrigins: [origin])
    }
    let instant = Instant()
    let root = try MainRoot(configuration) {
      $0.storage = .always(store)
      $0.providerTransport = instant
      $0.apiTransport = instant
    }
    await root.manager.restore()
    let client = root.apiClient
    let times = try await Timing.compare(
      rounds: 51,
      Subject(1_000) { count in for _ in 0..<count { blackHole(try await client.send(request)) } },
      subject(1_000, request, instant))
    return Figure("token, retry and redirect rules add", (times.ours - times.other) / 1_000, .microseconds, atMost: 10)
  }
}

private struct Instant: HTTPTransport {
  func send(_ request: HTTPRequest) async throws(AuthenticationError) -> HTTPResponse { HTTPResponse(status: 200) }
}

/// libcurl from C, one request at a time: a client uses it from one task.
@safe private struct Bare: @unchecked Sendable {
  private let handle: UnsafeMutableRawPointer

  init?(_ url: URL) {
    guard let handle = unsafe bare_curl_open(url.absoluteString) else { return nil }
    unsafe self.handle = handle
  }

  func get() -> Bool { unsafe bare_curl_get(handle) }
}

/// The same on a separate thread: the cost of waking that thread, and the task that waits for it, on this machine.
@safe private struct BareHop: @unchecked Sendable {
  private let hop: UnsafeMutableRawPointer

  init?(_ url: URL) {
    guard let handle = unsafe bare_curl_open(url.absoluteString), let hop = unsafe bare_hop_open(handle) else {
      return nil
    }
    unsafe self.hop = hop
  }

  func get() async -> Bool {
    await withCheckedContinuation { caller in
      let context = unsafe Unmanaged.passRetained(Caller(caller)).toOpaque()
      unsafe bare_hop_get(
        hop, { isDone, context in unsafe Unmanaged<Caller>.fromOpaque(context!).takeRetainedValue().resume(isDone) },
        context)
    }
  }

  private final class Caller {
    private let continuation: CheckedContinuation<Bool, Never>

    init(_ continuation: CheckedContinuation<Bool, Never>) { self.continuation = continuation }

    func resume(_ isDone: Bool) { continuation.resume(returning: isDone) }
  }
}
