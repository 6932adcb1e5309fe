import AuthenticationData
import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Testing

@testable import AuthenticationOpenID

@Suite struct PushedAuthorizationRequestTests {
  private static let json: HTTPHeaders = ["Content-Type": "application/json"]
  private static let accepted = HTTPResponse(
    status: 201, headers: json, body: Data(#"{"request_uri":"urn:example:a b","expires_in":60}"#.utf8))

  private func bench(_ response: HTTPResponse = accepted) -> FlowBench {
    var bench = FlowBench(
      http: ScriptedHTTPClient(.success(response)),
      presenter: ScriptedPresenter { _ in
        .failure(AuthenticationError(.cancelled, ""))
      })
    bench.metadata.endpoints[.pushedAuthorizationRequest] = URL(string: "https://id.example.com/par")
    bench.client.pushesAuthorizationRequests = true
    return bench
  }

  private func body(_ bench: FlowBench) -> String {
    String(decoding: bench.http.requests.first?.body ?? Data(), as: UTF8.self)
  }

  @Test func `the request parameters are posted to the issuer, and the browser carries a reference`() async {
    let bench = bench()
    #expect(await bench.failure() == .cancelled)
    #expect(
      bench.presenter.urls.map(\.absoluteString) == [
        "https://id.example.com/authorize?client_id=app&request_uri=urn%3Aexample%3Aa+b"
      ])
    let request = bench.http.requests.first
    #expect(request?.method == .post && request?.url.absoluteString == "https://id.example.com/par")
    #expect(request?.headers["Content-Type"] == "application/x-www-form-urlencoded")
    #expect(request?.headers["Authorization"] == nil)
    #expect(
      body(bench)
        == "response_type=code&redirect_uri=com.example.app%3A%2Fcallback"
        + "&scope=openid+profile+email+offline_access&state=AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE"
        + "&nonce=AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI"
        + "&code_challenge=g77gcvvTQj90gfwWOCFjatjPtz-u8N0FgfOXnqDHMbk&code_challenge_method=S256"
        + "&prompt=consent&client_id=app")
  }

  @Test func `a client with a secret authenticates, and is named in the form once`() async {
    var basic = bench()
    basic.client.authentication = .secretBasic(Secret("se cret"))
    _ = await basic.failure()
    #expect(basic.http.requests.first?.headers["Authorization"] == "Basic YXBwOnNlK2NyZXQ=")
    #expect(body(basic).contains("client_id=app") && !body(basic).contains("cret"))
    var post = bench()
    post.client.authentication = .secretPost(Secret("se cret"))
    _ = await post.failure()
    #expect(body(post).hasSuffix("&client_id=app&client_secret=se+cret"))
    for bench in [basic, post] {
      #expect(body(bench).components(separatedBy: "client_id=").count == 2)
      #expect(bench.presenter.query.hasPrefix("client_id=app&request_uri="))
    }
  }

  @Test func `an issuer that requires it is obeyed without being asked`() async {
    var bench = bench()
    bench.client.pushesAuthorizationRequests = false
    bench.metadata.requiresPushedAuthorizationRequests = true
    _ = await bench.failure()
    #expect(bench.http.requests.count == 1 && bench.presenter.query.contains("request_uri="))
  }

  @Test func `tokens to be bound name their key in the pushed form only`() async {
    var bench = bench()
    bench.client.bindsTokens = true
    _ = await bench.failure()
    #expect(body(bench).contains("&dpop_jkt=") && !bench.presenter.query.contains("dpop_jkt"))
  }

  @Test func `without an endpoint the parameters are not sent another way`() async {
    var bench = bench()
    bench.metadata.endpoints[.pushedAuthorizationRequest] = nil
    #expect(await bench.failure() == .endpointMissing)
    #expect(bench.presenter.urls.isEmpty)
  }

  @Test(arguments: [
    (302, "", AuthenticationError.unexpectedResponse), (307, "", .unexpectedResponse),
    (400, #"{"error":"invalid_request"}"#, .clientRejected), (401, #"{"error":"invalid_client"}"#, .clientRejected),
    (400, #"{"error":"invalid_grant"}"#, .clientRejected), (429, "", .rateLimited), (503, "", .serverFailed),
    (404, "", .endpointMissing), (201, "", .unexpectedResponse), (201, "{}", .unexpectedResponse),
    (201, #"{"request_uri":""}"#, .unexpectedResponse), (201, #"{"request_uri":1}"#, .unexpectedResponse),
  ])
  func `rule 15: nothing but a reference opens the browser`(
    status: Int, body: String, code: AuthenticationError
  ) async {
    let bench = bench(HTTPResponse(status: status, headers: Self.json, body: Data(body.utf8)))
    #expect(await bench.failure() == code)
    #expect(bench.presenter.urls.isEmpty && stored(bench.storage).isEmpty)
  }

  @Test func `an HTML page with status 200 is no reference`() async {
    let page = HTTPResponse(
      status: 200, headers: ["Content-Type": "text/html"], body: Data("<p>urn:x</p>".utf8))
    #expect(await bench(page).failure() == .unexpectedResponse)
  }
}
