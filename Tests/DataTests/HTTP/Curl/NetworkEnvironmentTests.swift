#if os(Linux)
import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Testing

@testable import AuthenticationData

/// Proxies are those that the environment names, and a faulty variable is an error when the client is made.
@Suite(.serialized, .timeLimit(.minutes(10))) struct NetworkEnvironmentTests {
  @Test(arguments: [
    ([:], ""), (["https_proxy": "http://a:1"], "http://a:1"),
    (["HTTPS_PROXY": "a.example.com:3128"], "a.example.com:3128"),
    (["all_proxy": "socks5h://a"], "socks5h://a"), (["ALL_PROXY": "a"], "a"),
    (["https_proxy": "http://a:1", "all_proxy": "http://b:1"], "http://a:1"), (["https_proxy": ""], ""),
    (["https_proxy": "", "all_proxy": "b:1"], "b:1"),
    (["https_proxy": "http://u:p%40@[::1]:8080/"], "http://u:p%40@[::1]:8080/"),
    (["http_proxy": "not used", "HTTP_PROXY": "neither"], ""), (["https_proxy": "a:1", "HTTPS_PROXY": "a:1"], "a:1"),
  ])
  func `the proxy is the one that curl would take`(variables: [String: String], proxy: String) throws {
    #expect(try NetworkEnvironment(variables, keepsKeys: false).proxy == proxy)
  }

  @Test(arguments: [
    ["https_proxy": "http://a:1", "HTTPS_PROXY": "http://b:1"], ["all_proxy": "a", "ALL_PROXY": "b"],
    ["no_proxy": "a", "NO_PROXY": "b"], ["https_proxy": "ftp://a:1"], ["https_proxy": "http://"],
    ["https_proxy": "http://a:0"], ["https_proxy": "http://a:65536"], ["https_proxy": "http://a:x"],
    ["https_proxy": "http://a:1/path"], ["https_proxy": "http://a b:1"], ["https_proxy": "http://a\r\nb:1"],
    ["all_proxy": "://"], ["all_proxy": "http://[::1"], ["all_proxy": "http://[::1]x"], ["no_proxy": "a\nb"],
    ["https_proxy": "http://a:"],
  ])
  func `a variable that cannot be meant makes no client`(variables: [String: String]) {
    #expect(throws: AuthenticationError(.invalidConfiguration, "")) {
      try NetworkEnvironment(variables, keepsKeys: true)
    }
    #expect(throws: AuthenticationError(.invalidConfiguration, "")) {
      try Transport.libcurl.client(variables: variables)
    }
  }

  /// A libcurl without OpenSSL cannot be told to keep its keys.
  @Test func `SSLKEYLOGFILE is ignored where it can be, and refused where it would be followed`() throws {
    let variables = ["SSLKEYLOGFILE": "/tmp/keys"]
    _ = try Transport.libcurl.client(variables: variables)
    #expect(throws: AuthenticationError(.invalidConfiguration, "")) {
      try NetworkEnvironment(variables, keepsKeys: false)
    }
    _ = try NetworkEnvironment(["SSLKEYLOGFILE": ""], keepsKeys: false)
  }

  @Test func `no error shows a proxy's password`() {
    let error = #expect(throws: AuthenticationError.self) {
      try NetworkEnvironment(["https_proxy": "http://user:canary@host:0"], keepsKeys: true)
    }
    #expect(error.map { "\($0)".contains("canary") } == false)
  }

  @Test(arguments: [407, 403, 502, 503, 302]) func `a proxy that refuses is named with its status, and asked once`(
    status: Int
  ) async throws {
    try await SocketServer.run(SocketServer.answer("\(status) Refused")) { proxy in
      let variables = ["https_proxy": "http://user:canary@127.0.0.1:\(proxy.port)"]
      let client = try Transport.libcurl.client(variables: variables).retrying(backoff: Backoff(base: .zero))
      let url = try #require(URL(string: "https://api.example.com/"))
      for method in [HTTPMethod.get, .post] {
        let before = proxy.requests.count
        let error = await client.result(of: HTTPRequest(method, url)).failure
        #expect(error == .unreachable)
        #expect(error?.message.contains("The proxy refused") == true && error?.message.contains("\(status)") == true)
        #expect(error?.suggestion?.contains("password") == (status == 407))
        #expect(error.map { "\($0)".contains("canary") } == false)
        #expect(proxy.requests.count == before + 1)
      }
    }
  }

  @Test func `this machine is not reached through the proxy, and any other is`() async throws {
    try await SocketServer.run(SocketServer.answer("403 Forbidden")) { proxy in
      try await SocketServer.run(SocketServer.answer("200 OK")) { server in
        let variables = ["https_proxy": "http://127.0.0.1:\(proxy.port)", "no_proxy": "unproxied.invalid"]
        let client = try Transport.libcurl.client(variables: variables)
        let local = try #require(URL(string: "http://localhost:\(server.port)/"))
        for url in [server.url(), local] {
          #expect(try await client.send(HTTPRequest(.get, url)).status == 200)
        }
        #expect(proxy.requests == [])
        let url = try #require(URL(string: "https://api.example.com/"))
        let headers: HTTPHeaders = ["Authorization": "Bearer canary"]
        let error = await client.result(of: HTTPRequest(.post, url, headers: headers)).failure
        #expect(error == .unreachable, "the server has not seen it")
        #expect(proxy.requests.first?.hasPrefix("CONNECT api.example.com:443 HTTP/1.1\r\n") == true)
        #expect(proxy.requests.first?.contains("canary") == false)
        let unproxied = try #require(URL(string: "https://unproxied.invalid/"))
        #expect(await client.result(of: HTTPRequest(.get, unproxied)).failure == .unreachable)
        #expect(proxy.requests.count == 1)
      }
    }
  }
}
#endif
