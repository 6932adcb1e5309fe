import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Testing

@testable import AuthenticationData

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite struct URLRequestAuthorizerTests {
  private let source = ScriptedSessionSource(
    .success(.sample(1, receivedAt: .distantPast)), .success(.sample(2, receivedAt: .distantPast)))
  private let origin = Origin(URL(string: "https://api.example.com")!)!

  private func request(_ text: String) -> URLRequest {
    var request = URLRequest(url: URL(string: text)!)
    request.allHTTPHeaderFields = ["Accept": "text/plain"]
    return request
  }

  @Test func `the token is attached, and the fields and the URL that the app had set stay`() async throws {
    let authorizer = URLRequestAuthorizer(source: source, allowedOrigins: [origin])
    let authorized = try await authorizer.authorized(request("https://api.example.com/notes?page=1"))
    #expect(authorized.value(forHTTPHeaderField: "Authorization") == "Bearer access-1")
    #expect(authorized.value(forHTTPHeaderField: "Accept") == "text/plain")
    #expect(authorized.url?.absoluteString == "https://api.example.com/notes?page=1")
  }

  @Test func `a request without fields gets the one`() async throws {
    let authorizer = URLRequestAuthorizer(source: source, allowedOrigins: [origin])
    let url = try #require(URL(string: "https://api.example.com/notes"))
    let authorized = try await authorizer.authorized(URLRequest(url: url))
    #expect(authorized.allHTTPHeaderFields == ["Authorization": "Bearer access-1"])
  }

  @Test(arguments: ["https://api.example.com/", "HTTPS://API.Example.COM:443/", "http://127.0.0.1:8080/notes"])
  func `each of several origins gets it, however it is written`(url: String) async throws {
    let other = try #require(URL(string: "http://127.0.0.1:8080").flatMap(Origin.init))
    let authorizer = URLRequestAuthorizer(source: source, allowedOrigins: [origin, other])
    let authorized = try await authorizer.authorized(request(url))
    #expect(authorized.value(forHTTPHeaderField: "Authorization") == "Bearer access-1")
  }

  // rule 31
  @Test(arguments: [
    "https://api.example.com.evil.example/", "http://api.example.com/", "https://api.example.com:8443/",
  ])
  func `no other origin gets it, and no session is asked for`(url: String) async throws {
    let authorizer = URLRequestAuthorizer(source: source, allowedOrigins: [origin])
    await #expect(throws: AuthenticationError(.originNotAllowed, "")) {
      try await authorizer.authorized(request(url))
    }
    #expect(source.rejections.isEmpty)
  }

  @Test func `a request that was refused gets another token, and the refused one is named to the source`() async throws
  {
    let source = ScriptedSessionSource([1, 1, 2].map { .success(.sample($0, receivedAt: .distantPast)) })
    let authorizer = URLRequestAuthorizer(source: source, allowedOrigins: [origin])
    let refused = try await authorizer.authorized(request("https://api.example.com/"))
    let again = try await authorizer.reauthorized(refused)
    #expect(source.rejections == [nil, nil, AuthSession.sample(1, receivedAt: .distantPast).accessToken])
    #expect(again.value(forHTTPHeaderField: "Authorization") == "Bearer access-2")
    #expect(again.value(forHTTPHeaderField: "Accept") == "text/plain")
  }

  @Test func `a token that came since is used, and not refused for the one before it`() async throws {
    let authorizer = URLRequestAuthorizer(source: source, allowedOrigins: [origin])
    let refused = try await authorizer.authorized(request("https://api.example.com/"))
    let again = try await authorizer.reauthorized(refused)
    #expect(source.rejections == [nil, nil])
    #expect(again.value(forHTTPHeaderField: "Authorization") == "Bearer access-2")
    await #expect(throws: AuthenticationError(.originNotAllowed, "")) {
      try await authorizer.reauthorized(request("https://elsewhere.example/"))
    }
  }

  @Test func `nothing goes out in clear, though its origin was named`() async throws {
    let clear = try #require(Origin(URL(string: "http://api.example.com")!))
    let authorizer = URLRequestAuthorizer(source: source, allowedOrigins: [clear])
    await #expect(throws: AuthenticationError(.originNotAllowed, "")) {
      try await authorizer.authorized(request("http://api.example.com/"))
    }
    #expect(source.rejections.isEmpty)
  }

  @Test func `an app's own field of that name is replaced, whatever its case`() async throws {
    var request = request("https://api.example.com/")
    request.allHTTPHeaderFields?["authorization"] = "Basic of the app"
    let authorized = try await URLRequestAuthorizer(source: source, allowedOrigins: [origin]).authorized(request)
    #expect(authorized.allHTTPHeaderFields == ["Accept": "text/plain", "Authorization": "Bearer access-1"])
  }

  // rule 34
  @Test func `a proof is for this method and URL, and replaces the app's`() async throws {
    let authorizer = URLRequestAuthorizer(source: source, allowedOrigins: [origin], proof: MethodProof())
    var request = request("https://api.example.com/notes?page=1")
    request.httpMethod = "DELETE"
    request.allHTTPHeaderFields?["DPoP"] = "the app's"
    let authorized = try await authorizer.authorized(request)
    #expect(
      authorized.value(forHTTPHeaderField: "DPoP") == "DELETE https://api.example.com/notes?page=1 access-1")
    #expect(authorized.value(forHTTPHeaderField: "Authorization") == "Bearer access-1")
    #expect(authorized.value(forHTTPHeaderField: "Accept") == "text/plain")
    #expect(authorized.httpMethod == "DELETE")
  }

  @Test func `no proof of an earlier sending is left, whatever its name's case`() async throws {
    var request = request("https://api.example.com/notes")
    for name in ["dpop", "DPOP", "DPoP"] { request.allHTTPHeaderFields?[name] = "stale" }
    for proof in [MethodProof(), UnboundProof()] as [any RequestProof] {
      let source = ScriptedSessionSource(.success(.sample(1, receivedAt: .distantPast)))
      let authorized = try await URLRequestAuthorizer(source: source, allowedOrigins: [origin], proof: proof)
        .authorized(request)
      let proofs = (authorized.allHTTPHeaderFields ?? [:]).filter { $0.key.lowercased() == "dpop" }
      #expect(proofs.values.allSatisfy { $0 != "stale" })
      #expect(proofs.count == (proof is MethodProof ? 1 : 0))
      #expect(authorized.value(forHTTPHeaderField: "Accept") == "text/plain")
    }
  }

  // rule 35
  @Test func `a demand for a nonce asks again for a request that carried a proof, and for no other`() async throws {
    let proof = NonceProof()
    let authorizer = URLRequestAuthorizer(source: source, allowedOrigins: [origin], proof: proof)
    let sent = try await authorizer.authorized(request("https://api.example.com/notes"))
    #expect(authorizer.asksAgain(try answer(from: "https://api.example.com/notes"), to: sent))
    #expect(!authorizer.asksAgain(try answer(from: "https://api.example.com/notes", nonce: nil), to: sent))
    #expect(
      !authorizer.asksAgain(
        try answer(from: "https://api.example.com/notes"), to: request("https://api.example.com/notes")),
      "it carried no proof")
  }

  @Test func `another origin's answer teaches nothing, nor does any where tokens are not bound`() async throws {
    let proof = CountingProof()
    proof.ask(again: true)
    let request = request("https://api.example.com/notes")
    let authorizer = URLRequestAuthorizer(source: source, allowedOrigins: [origin], proof: proof)
    #expect(!authorizer.asksAgain(try answer(from: "https://elsewhere.example/notes"), to: request))
    #expect(proof.answers == [])
    let unbound = URLRequestAuthorizer(source: source, allowedOrigins: [origin])
    #expect(!unbound.asksAgain(try answer(from: "https://api.example.com/notes"), to: request))
  }

  private func answer(from url: String, nonce: String? = "n1") throws -> HTTPURLResponse {
    var fields = ["WWW-Authenticate": #"DPoP error="use_dpop_nonce""#]
    fields["DPoP-Nonce"] = nonce
    return try #require(
      HTTPURLResponse(url: URL(string: url)!, statusCode: 401, httpVersion: "HTTP/1.1", headerFields: fields))
  }

  @Test func `without its proof no token is given away`() async throws {
    let proof = CountingProof()
    proof.fail()
    let authorizer = URLRequestAuthorizer(source: source, allowedOrigins: [origin], proof: proof)
    await #expect(throws: AuthenticationError(.storageCorrupt, "")) {
      try await authorizer.authorized(request("https://api.example.com/"))
    }
  }
}

private struct MethodProof: RequestProof {
  func prove(_ request: inout HTTPRequest, for session: AuthSession) throws(AuthenticationError) {
    request.headers["DPoP"] =
      "\(request.method.rawValue) \(request.url.absoluteString) \(session.accessToken.value.reveal())"
  }

  func asksAgain(_ response: HTTPResponse, to request: HTTPRequest) -> Bool { false }
}

private struct NonceProof: RequestProof {
  func prove(_ request: inout HTTPRequest, for session: AuthSession) throws(AuthenticationError) {
    request.headers["DPoP"] = "proof"
  }

  func asksAgain(_ response: HTTPResponse, to request: HTTPRequest) -> Bool {
    response.status == 401 && response.headers["DPoP-Nonce"] != nil && request.headers["DPoP"] == "proof"
      && request.method == .get && request.url.path() == "/notes"
  }
}
