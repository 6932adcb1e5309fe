#if os(Linux)
import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Testing

@testable import AuthenticationData

/// With any response of a server the process continues, and the returned bytes are those that were written.
@Suite(.serialized, .timeLimit(.minutes(10))) struct CurlAnswerTests {
  enum Outcome: Equatable, Sendable {
    case body(String)
    case code(AuthenticationError)
  }

  func outcome(_ answer: String, _ method: HTTPMethod = .get) async throws -> Outcome {
    let client = try Transport.libcurl.client(maximumBodySize: 1_000)
    return try await WireServer.run({ wire in
      guard wire.readRequest() != nil else { return }
      wire.send(answer)
    }) { server in
      switch await client.result(of: HTTPRequest(method, server.url())) {
      // An informational response is none.
      case .success(let response) where response.status < 200: .code(.unexpectedResponse)
      case .success(let response): .body(String(decoding: response.body, as: UTF8.self))
      case .failure(let error): .code(error)
      }
    }
  }

  @Test(
    arguments: [
      ("Content-Length: 5\r\nContent-Length: 5", .body("abcde")), ("Content-Length: 5, 5", .body("abcde")),
      ("Content-Length: 5\r\nContent-Length: 4", .code(.connectionLost)),
      ("Content-Length: 4\r\nContent-Length: 5", .code(.connectionLost)),
      ("Content-Length: 5, 4", .code(.connectionLost)), ("Content-Length: x", .code(.connectionLost)),
      ("Content-Length: -5", .code(.connectionLost)), ("Content-Length: +5", .code(.connectionLost)),
      ("Content-Length:", .code(.connectionLost)), ("Content-Length: 5x", .code(.connectionLost)),
      ("Content-Length: 0x5", .code(.connectionLost)), ("Content-Length: 6", .code(.connectionLost)),
      ("Content-Length: 5\r\nTransfer-Encoding: chunked", .code(.connectionLost)),
      ("Transfer-Encoding: chunked\r\nContent-Length: 5", .code(.connectionLost)),
      ("Content-Length: 9223372036854775805", .code(.responseTooLarge)),
      ("Content-Length: 9223372036854775806", .code(.responseTooLarge)),
      ("Content-Length: 9223372036854775807", .code(.responseTooLarge)),
      ("Content-Length: 9223372036854775808", .code(.responseTooLarge)),
      ("Content-Length: 99999999999999999999999999", .code(.responseTooLarge)),
      ("Content-Length: 1001", .code(.responseTooLarge)), ("X-Nul: a\0b", .code(.connectionLost)),
      ("X-Return: a\rb", .code(.connectionLost)), ("no colon", .code(.connectionLost)), (": no name", .body("abcde")),
      ("X Spaces: a", .body("abcde")), ("X-Eight: \u{E9}\u{80}", .body("abcde")), ("X-Empty:", .body("abcde")),
      ("X-Folded: a\r\n b\r\n\tc", .body("abcde")), ("Content-Encoding: odd", .code(.connectionLost)),
      ("Content-Encoding: gzip", .code(.connectionLost)), ("Content-Encoding: identity", .body("abcde")),
      ("Transfer-Encoding: odd", .code(.connectionLost)),
    ] as [(String, Outcome)])
  func `a header field of any form gets a response or an error`(fields: String, expected: Outcome) async throws {
    #expect(try await outcome("HTTP/1.1 200 OK\r\n\(fields)\r\n\r\nabcde") == expected)
  }

  @Test(arguments: [
    "", "\r\n", "\0", "HTTP", "HTTP/1.1", "HTTP/1.1 \r\n\r\n", "HTTP/1.1 20\r\n\r\n", "HTTP/1.1 2000 OK\r\n\r\n",
    "HTTP/1.1 abc OK\r\n\r\n", "HTTP/9.9 200 OK\r\n\r\n", "HTTP/1.1 -20 OK\r\n\r\n", "HTTP/1.1 000 OK\r\n\r\n",
    "HTTP/0.9 200 OK\r\n\r\n", "hello", "<!doctype html>\r\n\r\n", "ICY 200 OK\r\n\r\n", "RTSP/1.0 200 OK\r\n\r\n",
    "HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n",
    "HTTP/1.1 200 OK\r\nX: \0\0\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "\u{1}\u{2}\u{3}\u{4}",
  ])
  func `bytes that are no HTTP response are a lost connection`(answer: String) async throws {
    #expect(try await outcome(answer) == .code(.connectionLost))
  }

  @Test(arguments: ["HTTP/1.1 200\r\n", "HTTP/1.0 200 OK\r\n", "HTTP/1.1 200 \r\n", "HTTP/1.1 200 A B C\r\n"])
  func `a status line needs no reason`(line: String) async throws {
    #expect(try await outcome("\(line)Content-Length: 5\r\n\r\nabcde") == .body("abcde"))
  }

  @Test func `a folded field is one value`() async throws {
    try await WireServer.run({ wire in
      guard wire.readRequest() != nil else { return }
      wire.send("HTTP/1.1 200 OK\r\nX-Folded: a\r\n  b\r\n\tc\r\nContent-Length: 0\r\nX-Two: 1\r\nX-Two: 2\r\n\r\n")
    }) { server in
      let response = try await Transport.libcurl.client().send(HTTPRequest(.get, server.url()))
      #expect(response.headers["X-Folded"] == "a b c")
      #expect(response.headers.values(of: "X-Two") == ["1", "2"])
    }
  }

  @Test(arguments: [
    "X-T: 1\r\n", "X-T: 1\r\nX-U: 2\r\n", "Content-Length: 99\r\n", "Set-Cookie: a=b\r\n",
    "Authorization: Bearer canary\r\n", "\(String(repeating: "X-T: 1\r\n", count: 100))",
  ])
  func `trailer fields change nothing`(trailers: String) async throws {
    let answer =
      "HTTP/1.1 200 OK\r\nTrailer: X-T\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n0\r\n\(trailers)\r\n"
    #expect(try await outcome(answer) == .body("abcde"))
  }

  @Test(arguments: [1, 5, 30]) func `informational responses are read past`(count: Int) async throws {
    let hints = String(repeating: "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n", count: count)
    #expect(try await outcome("\(hints)HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabcde") == .body("abcde"))
  }

  @Test(arguments: [
    String(repeating: "X-A: b\r\n", count: 201), "X-A: \(String(repeating: "a", count: 66_000))\r\n",
    String(repeating: "X-A: \(String(repeating: "a", count: 1_000))\r\n", count: 66),
    "\r\n\(String(repeating: "HTTP/1.1 103 Early Hints\r\n\r\n", count: 150))",
  ])
  func `a head without end is too large`(fields: String) async throws {
    #expect(
      try await outcome("HTTP/1.1 \(fields.hasPrefix("\r\n") ? 103 : 200) OK\r\n\(fields)") == .code(.responseTooLarge))
  }

  @Test func `a head of 64 KiB and 190 fields is read`() async throws {
    let fields = String(repeating: "X-A: \(String(repeating: "a", count: 330))\r\n", count: 190)
    #expect(fields.utf8.count > 64_000)
    #expect(try await outcome("HTTP/1.1 200 OK\r\n\(fields)Content-Length: 5\r\n\r\nabcde") == .body("abcde"))
  }

  @Test(arguments: ["zz\r\n", "-1\r\n", "5\r\nabcdefg", "ffffffffffffffffff\r\n", "5;a=b\r\nabcde\r\n", "\r\n"])
  func `a chunk that is none is a lost connection`(chunk: String) async throws {
    let answer = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\(chunk)"
    #expect(try await outcome(answer) == .code(.connectionLost))
  }

  @Test func `a compressed body is decoded, and only as much of it as is allowed`() async throws {
    // `printf abcde | gzip -9n`, and a million bytes of zero.
    let small = try #require(Data(base64Encoded: "H4sIAAAAAAACA0tMSk5JBQBl2IeFBQAAAA=="))
    for (data, expected) in [
      (small, Optional("abcde")), (try Self.gzipped(1_000_000), nil), (try Self.gzipped(1_001), nil),
    ] {
      try await WireServer.run({ wire in
        guard wire.readRequest() != nil else { return }
        wire.send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(data.count)\r\n\r\n")
        wire.send(data)
      }) { server in
        let client = try Transport.libcurl.client(maximumBodySize: 1_000)
        let result = await client.result(of: HTTPRequest(.get, server.url()))
        #expect(server.requests.first?.contains("Accept-Encoding: gzip, deflate\r\n") == true)
        if let expected {
          #expect(try result.get().body == Data(expected.utf8))
        } else {
          #expect(result.failure == .responseTooLarge)
        }
      }
    }
  }

  private static func gzipped(_ count: Int) throws -> Data {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", "head -c \(count) /dev/zero | gzip -9"]
    let output = Pipe()
    process.standardOutput = output
    try process.runAlone()
    return output.fileHandleForReading.readDataToEndOfFile()
  }
}
#endif
