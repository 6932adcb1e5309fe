#if os(Linux)
import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Synchronization
import Testing

@testable import AuthenticationData

/// The resources of a client end with it.
@Suite(.serialized, .timeLimit(.minutes(10))) struct CurlLifetimeTests {
  private static func entries(_ folder: String) throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/\(folder)").count
  }

  /// Ends in time or not at all: the thread of a loop ends after its client.
  private static func waitUntil(_ holds: () throws -> Bool) async throws {
    while try !holds() { await Task.yield() }
  }

  @Test func `thousands of clients that come and go leave neither threads nor descriptors`() async {
    await #expect(processExitsWith: .success) {
      let certificate = try TestCertificate.usual.get()
      try await WireServer.run(CurlKeptConnectionTests.serving(100) { $0.waitForEnd() }) { server in
        _ = try await Transport.libcurl.client().send(HTTPRequest(.get, server.url()))
        let (threads, descriptors) = (try Self.entries("task"), try Self.entries("fd"))
        for number in 1...2_000 {
          // Every fourth has a separate thread.
          let trust = number.isMultiple(of: 4) ? certificate.trust : .system
          let client = try Transport.libcurl.client(trust: trust)
          if number.isMultiple(of: 2) { _ = try await client.send(HTTPRequest(.get, server.url())) }
        }
        try await Self.waitUntil { try Self.entries("task") <= threads + 4 && Self.entries("fd") <= descriptors + 4 }
      }
    }
  }

  @Test func `a call whose client is given up is served`() async throws {
    let gate = DispatchSemaphore(value: 0)
    try await WireServer.run({ wire in
      guard wire.readRequest() != nil else { return }
      gate.wait()
      wire.send(CurlKeptConnectionTests.answer)
    }) { server in
      var client: (any HTTPClient)? = try Transport.libcurl.client()
      let exchange = Task { [client] in try await client?.send(HTTPRequest(.get, server.url())).status }
      await server.arrivals.wait(for: 1)
      client = nil
      gate.signal()
      #expect(try await exchange.value == 200)
    }
  }

  /// Where a child finds the server of this process: its own OpenSSL must not be in use when it exits.
  private static func meetingPoint(_ process: pid_t) -> URL {
    FileManager.default.temporaryDirectory.appending(path: "exiting-\(process)")
  }

  @Test(.enabled(if: TestCertificate.isAvailable)) func `a process that exits during requests does not crash`()
    async throws
  {
    let certificate = try TestCertificate.usual.get()
    let point = Self.meetingPoint(getpid())
    defer { try? FileManager.default.removeItem(at: point) }
    try await WireServer.run(try TestTLS(certificate), CurlTrustTests.serve) { server in
      try Data("\(server.url())\n".utf8 + certificate.pem).write(to: point)
      for _ in 1...10 {
        await #expect(processExitsWith: .exitCode(0)) {
          let parts = try String(contentsOf: Self.meetingPoint(getppid()), encoding: .utf8).split(
            separator: "\n", maxSplits: 1)
          let url = try #require(URL(string: String(parts[0])))
          let client = try Transport.libcurl.client(trust: ServerTrust(roots: Data(parts[1].utf8)))
          let answers = Tally()
          for _ in 1...8 {
            Task.detached {
              while true {
                _ = await client.result(of: HTTPRequest(.post, url))
                answers.add()
              }
            }
          }
          await answers.wait(for: 50)
          exit(0)
        }
      }
    }
  }

  @Test func `thousands of calls that are cancelled at any moment all return`() async throws {
    try await WireServer.run({ wire in
      while wire.readRequest() != nil { wire.send(CurlKeptConnectionTests.answer) }
    }) { server in
      let client = try Transport.libcurl.client()
      await withTaskGroup(of: Void.self) { group in
        for number in 1...2_000 {
          if number > 16 { await group.next() }
          group.addTask {
            let exchange = Task { await client.result(of: HTTPRequest(.get, server.url())) }
            for _ in 0..<(number % 20) { await Task.yield() }
            exchange.cancel()
            let result = await exchange.value
            #expect(result.failure == nil || result.failure == .cancelled)
          }
        }
      }
      #expect(try await client.send(HTTPRequest(.get, server.url())).status == 200)
    }
  }

  @Test(arguments: ["libnothing.so.9", "libc.so.6", "libm.so.6"])
  func `a library without libcurl's functions is none, and the error says which package to install`(
    name: String
  ) async throws {
    #expect(Libcurl(name: name) == nil)
    let limits = HTTPLimits(deadline: .zero, connecting: .zero, silence: .zero, maximumBodySize: 0)
    let client = try SystemHTTPClient(limits, .system, SystemClock(), Libcurl(name: name), variables: [:])
    let url = try #require(URL(string: "https://api.example.com/"))
    let error = await client.result(of: HTTPRequest(.get, url)).failure
    #expect(error == .invalidConfiguration)
    #expect(error?.suggestion?.contains("Debian: libcurl4, Fedora: libcurl") == true)
    #expect(throws: AuthenticationError(.invalidConfiguration, "")) {
      let trust = ServerTrust(pins: [Data(count: 32).base64EncodedString()])
      _ = try SystemHTTPClient(limits, trust, SystemClock(), Libcurl(name: name), variables: [:])
    }
  }

  /// The whole process of `authctl token` takes less time than loading it.
  @Test func `libcurl is loaded for the first request`() async throws {
    let isLoaded = Mutex(false)
    let limits = HTTPLimits(deadline: .zero, connecting: .zero, silence: .zero, maximumBodySize: 0)
    let load = { @Sendable () -> Libcurl? in
      isLoaded.withLock { $0 = true }
      return Libcurl.shared
    }
    let client = try SystemHTTPClient(limits, .system, SystemClock(), load(), variables: [:])
    #expect(!isLoaded.withLock { $0 })
    _ = await client.result(of: HTTPRequest(.get, try #require(URL(string: "http://127.0.0.1:1/"))))
    #expect(isLoaded.withLock { $0 })
  }
}
#endif
