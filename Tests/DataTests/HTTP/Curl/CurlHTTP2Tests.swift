#if os(Linux)
import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Testing

@testable import AuthenticationData

/// HTTP/2 where a server offers it by TLS (RFC 9113), against frames written by hand.
@Suite(.serialized, .enabled(if: TestCertificate.isAvailable), .timeLimit(.minutes(10))) struct CurlHTTP2Tests {
  enum FrameType: UInt8 {
    case data = 0
    case headers = 1
    case reset = 3
    case settings = 4
    case goAway = 7
  }

  static func frame(_ type: FrameType, flags: UInt8 = 0, stream: UInt8 = 1, _ payload: [UInt8] = []) -> [UInt8] {
    [0, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF), type.rawValue, flags, 0, 0, 0, stream] + payload
  }

  /// `:status: 200` by its index, and fields with literal names (RFC 7541 §6.2.2).
  static func fields(_ fields: [(String, String)], hasStatus: Bool = true) -> [UInt8] {
    var bytes: [UInt8] = hasStatus ? [0x88] : []
    for (name, value) in fields {
      bytes.append(0)
      for text in [name, value] {
        bytes.append(UInt8(text.utf8.count))
        bytes += Array(text.utf8)
      }
    }
    return bytes
  }

  static let body = frame(.data, Array("abcde".utf8))
  /// END_HEADERS is 4, END_STREAM 1.
  static let whole = frame(.headers, flags: 4, fields([("x-a", "b")])) + frame(.data, flags: 1, Array("abcde".utf8))

  /// Sends these frames once a request's head has come.
  static func answering(_ frames: [UInt8], end: WireConnection.End = .goodbye) -> @Sendable (WireConnection) -> Void {
    { wire in
      guard wire.read(24) != nil else { return }
      wire.send(frame(.settings, stream: 0))
      while let head = wire.read(9) {
        guard wire.read(Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])) != nil else { return }
        if head[3] == FrameType.headers.rawValue { break }
      }
      wire.send(frame(.settings, flags: 1, stream: 0))
      wire.send(frames)
      if end == .goodbye { wire.waitForEnd() }
      wire.end(end)
    }
  }

  func result(
    _ frames: [UInt8], end: WireConnection.End = .goodbye, of method: HTTPMethod = .get
  ) async throws -> (Result<HTTPResponse, AuthenticationError>, connections: Int) {
    let certificate = try TestCertificate.usual.get()
    let client = try Transport.libcurl.client(maximumBodySize: 1_000, trust: certificate.trust)
    let tls = try TestTLS(certificate, offersHTTP2: true)
    return try await WireServer.run(tls, Self.answering(frames, end: end)) { server in
      (await client.result(of: HTTPRequest(method, server.url())), server.connections.count)
    }
  }

  @Test func `a response has its status, its fields and its body`() async throws {
    let response = try await result(Self.whole).0.get()
    #expect(response.status == 200)
    #expect(response.headers["X-A"] == "b")
    #expect(response.body == Data("abcde".utf8))
  }

  @Test func `trailer fields change nothing`() async throws {
    let trailers = Self.fields([("x-t", "1"), ("x-a", "other")], hasStatus: false)
    let frames = Self.frame(.headers, flags: 4, Self.fields([("x-a", "b")])) + Self.body
    let response = try await result(frames + Self.frame(.headers, flags: 5, trailers)).0.get()
    #expect(response.headers.values(of: "X-A") == ["b"])
    #expect(response.headers["X-T"] == nil)
    #expect(response.body == Data("abcde".utf8))
  }

  @Test(arguments: [WireConnection.End.orderly, .reset])
  func `a connection that ends inside a response is lost`(end: WireConnection.End) async throws {
    for cut in 0..<Self.whole.count {
      let (result, connections) = try await result(Array(Self.whole.prefix(cut)), end: end, of: .post)
      #expect(result.failure == .connectionLost, "cut at \(cut)")
      #expect(connections == 1)
    }
  }

  @Test func `a stream that is reset or a server that goes away is a lost connection`() async throws {
    let internalError: [UInt8] = [0, 0, 0, 2]
    for frames in [
      Self.frame(.reset, internalError),
      Self.frame(.headers, flags: 4, Self.fields([])) + Self.frame(.reset, internalError),
      Self.frame(.goAway, stream: 0, [0, 0, 0, 1] + internalError),
    ] {
      #expect(try await result(frames, end: .orderly, of: .post).0.failure == .connectionLost)
    }
  }

  @Test(arguments: ["6", "4", "1001", "99999999999999999999", "x"])
  func `a length that the body does not keep is no response`(length: String) async throws {
    let head = Self.frame(.headers, flags: 4, Self.fields([("content-length", length)]))
    let frames = head + Self.frame(.data, flags: 1, Array("abcde".utf8))
    let code = try await result(frames).0.failure
    #expect([.connectionLost, .responseTooLarge].contains(code))
  }
}
#endif
