import AuthenticationData
import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Testing

@testable import AuthenticationBrowser
@testable import AuthenticationOpenID

private let iss = "iss=https%3A%2F%2Fid.example.com"

@Suite struct AuthorizationResponseTests {
  private func failure(
    redirect: String = FlowBench.redirect, advertised: Bool = true, _ query: @escaping @Sendable (String) -> String
  ) async -> AuthenticationError? {
    var bench = FlowBench(presenter: ScriptedPresenter { .success("\(redirect)\(query($0))") })
    bench.metadata.sendsIssuerInResponses = advertised
    let failure = await bench.failure()
    #expect(stored(bench.storage).isEmpty, "The attempt is over.")
    return failure
  }

  @Test(arguments: [
    "com.example.app:/callback/", "com.example.app:/Callback", "com.example.app://callback",
    "com.example.app:/call%62ack",
    "com.example.apps:/callback", "com.example.app:/callback%3F", "COM.EXAMPLE.APP:/callback", "https://evil.example/",
  ])
  func `rule 9: another address than the one asked for is refused`(redirect: String) async {
    let failure = await failure(redirect: redirect) { "?\(ScriptedPresenter.answer(to: $0))" }
    #expect(failure?.reason == .redirect)
  }

  @Test(arguments: [
    "state=S&code=a&code=b&\(iss)", "state=S&code=a&code=a&\(iss)", "state=S&state=S&code=a&\(iss)",
    "state=S&code=a&\(iss)&\(iss)", "state=S&error=access_denied&error=access_denied&\(iss)",
    "state=S&code=a&%63ode=b&\(iss)", "state=S&code=a&\(iss)&extra=1&extra=2",
    "state=S&error=x&error_description=a&error_description=b&\(iss)",
  ])
  func `rule 9: a repeated parameter is refused`(query: String) async {
    #expect(await failure { "?" + query.replacing("=S", with: "=\($0)") }?.reason == .redirect)
  }

  @Test(arguments: ["code=%", "code=%4", "code=%zz", "code=%FF", "%FF=a", "code=%+1", "a=1&%=", "a=%C3"])
  func `a query that is not form-encoded is none`(query: String) {
    #expect(FormBody(decoding: Array(query.utf8)) == nil)
  }

  @Test func `a query that is not form-encoded is refused`() async {
    #expect(await failure { "?code=%FF&state=\($0)&\(iss)" }?.reason == .redirect)
  }

  @Test func `a query of more than 64 KiB is refused, and one of less is read`() async throws {
    for size in [1 << 20, AuthorizationResponse.longest + 1] {
      let failure = await failure { state in
        let rest = "&state=\(state)&\(iss)"
        return "?code=" + String(repeating: "a", count: size - rest.utf8.count - 5) + rest
      }
      #expect(failure?.reason == .redirect)
    }
    let longest = FlowBench(
      presenter: ScriptedPresenter { state in
        let rest = "&state=\(state)&\(iss)"
        let room = AuthorizationResponse.longest - rest.utf8.count - 5
        return .success("\(FlowBench.redirect)?code=" + String(repeating: "a", count: room) + rest)
      })
    #expect(try await longest.flow.authorize(BrowserSignIn()).code.reveal().count > 65_000)
  }

  @Test(arguments: ["code=a", "code=a&state=", "code=a&state=other", "code=a&State=S", "error=access_denied", ""])
  func `rule 10: without the state that was sent nothing is believed`(query: String) async {
    let reason: FailureReason = query.hasPrefix("error") ? .errorWithoutState : .state
    #expect(await failure { "?\(query.replacing("=S", with: "=\($0)"))&\(iss)" }?.reason == reason)
  }

  @Test func `state is checked before everything else that came`() async {
    #expect(await failure { _ in "?state=other&code=a&iss=https%3A%2F%2Fevil.example" }?.reason == .state)
  }

  @Test(arguments: [
    "https%3A%2F%2Fevil.example", "https%3A%2F%2Fid.example.com%2F", "HTTPS%3A%2F%2Fid.example.com", "",
    "https%3A%2F%2FID.example.com", "http%3A%2F%2Fid.example.com",
  ])
  func `rule 11: another issuer is refused, announced or not, in errors too`(issuer: String) async {
    for advertised in [true, false] {
      for outcome in ["code=a", "error=access_denied"] {
        let failure = await failure(advertised: advertised) { "?\(outcome)&state=\($0)&iss=\(issuer)" }
        #expect(failure?.reason == .issuer)
      }
    }
  }

  @Test func `rule 11: the issuer is compared byte for byte`() async {
    // Two spellings of one letter, which are equal as strings.
    var bench = FlowBench(
      presenter: ScriptedPresenter(query: { "code=a&state=\($0)&iss=https%3A%2F%2Fid.example.com%2Fe%CC%81" }))
    bench.client.issuer = "https://id.example.com/\u{E9}"
    #expect(await bench.failure()?.reason == .issuer)
  }

  @Test func `rule 11: an issuer that announced its name and does not send it is refused with its code`() async {
    #expect(await failure { "?code=a&state=\($0)" }?.reason == .issuer)
    #expect(await failure(advertised: false) { "?code=a&state=\($0)" } == nil)
  }

  @Test func `rule 11: so is an error without the announced name`() async {
    #expect(await failure { "?error=access_denied&state=\($0)" }?.reason == .issuer)
    let failure = await failure(advertised: false) { "?error=access_denied&state=\($0)" }
    #expect(failure == .declined && failure?.providerCode == "access_denied")
  }

  @Test(arguments: ["", "&state="])
  func `an error without a state is told as the issuer's fault`(rest: String) async {
    let failure = await failure { _ in "?error=access_denied\(rest)&\(iss)" }
    #expect(failure?.reason == .errorWithoutState && failure?.providerCode == "access_denied")
    #expect(failure?.message.contains("without the 'state' it was sent") == true)
    #expect(failure?.suggestion?.contains("fault of the provider") == true)
  }

  @Test(arguments: ["", "code=", "code", "session_state=x", "access_token=x&token_type=Bearer", "id_token=x"])
  func `rule 5: an answer without a code is refused, whatever else it brings`(rest: String) async {
    #expect(await failure { "?state=\($0)&\(iss)&\(rest)" }?.reason == .redirect)
  }

  @Test func `a code and an error are refused together`() async {
    #expect(await failure { "?code=a&error=access_denied&state=\($0)&\(iss)" }?.reason == .redirect)
    #expect(await failure { "?code=&error=access_denied&state=\($0)&\(iss)" }?.reason == .redirect)
  }

  @Test func `rule 5: nothing is read from a fragment, and one does no harm`() async throws {
    #expect(await failure { "#code=a&state=\($0)&\(iss)" }?.reason == .state)
    #expect(await failure { "?state=\($0)&\(iss)#code=a" }?.reason == .redirect)
    #expect(await failure { "?\(ScriptedPresenter.answer(to: $0))#_=_" } == nil)
  }

  @Test func `a code is decoded as a form is, and unknown parameters are passed over`() async throws {
    let bench = FlowBench(
      presenter: ScriptedPresenter(query: { "&&x=&session_state=1.2&code=a+b%2Bc%c3%a9=&state=\($0)&\(iss)&" }))
    #expect(try await bench.flow.authorize(BrowserSignIn()).code.reveal() == "a b+cé=")
  }
}
