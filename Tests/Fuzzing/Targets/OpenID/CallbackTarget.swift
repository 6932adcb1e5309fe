#if OpenID
import AuthenticationData
import AuthenticationDomain
import Foundation

@testable import AuthenticationOpenID

/// The URL a browser comes back with: the input as a whole one, and as the query of the one that was asked for.
enum CallbackTarget {
  private static let transaction = AuthorizationTransaction(
    state: "st4te", nonce: "n0nce", verifier: Secret("verifier"), issuer: "https://id.example.com", clientID: "app",
    redirectURI: "com.example.app:/callback", startedAt: Date(timeIntervalSince1970: 1_790_000_000), scopes: ["openid"],
    requirements: .init(), proofKey: nil, expectsIssuer: true)
  private static let client = OpenIDClient(issuer: "https://id.example.com", clientID: "app")

  static func check(_ input: [UInt8]) throws {
    let text = String(decoding: input, as: UTF8.self)
    for text in [text, "\(transaction.redirectURI)?\(text)"] {
      if let url = URL(string: text) { try check(url) }
    }
    if let form = FormBody(decoding: input) {
      let again = FormBody(decoding: form.encoded.utf8)
      try Finding.unless(
        again.map(fields) == fields(form), "a form that is encoded again says the same")
    }
  }

  private static func check(_ url: URL) throws {
    switch Result(catching: { () throws(AuthenticationError) in try AuthorizationResponse(url) }) {
    case .failure(let error): try error.checkSilence()
    case .success(let response):
      try checkOnce(response)
      switch Result(catching: { () throws(AuthenticationError) in try response.code(for: transaction) }) {
      case .failure(let error): try error.checkSilence()
      case .success(let code): try check(code: code, of: url)
      }
    }
  }

  private static func check(code: Secret, of url: URL) throws {
    let text = url.absoluteString
    try Finding.unless(!code.isEmpty, "a code is not empty")
    try Finding.unless(text.utf8.starts(with: "\(transaction.redirectURI)?".utf8), "a code comes where it was asked to")
    let query = text.utf8.prefix { $0 != UInt8(ascii: "#") }.drop { $0 != UInt8(ascii: "?") }.dropFirst()
    let answers = FormBody(decoding: query)?.fields ?? []
    for (name, value) in [("code", code.reveal()), ("iss", transaction.issuer)] {
      try Finding.unless(
        answers.filter { $0.name == name }.map(\.value) == [value], "a code and its issuer are named once")
    }
    try Finding.unless(!answers.contains { $0.name == "error" }, "a code comes without an error")
  }

  /// Finds the sign-in of its state, once.
  private static func checkOnce(_ response: AuthorizationResponse) throws {
    guard let state = response.state else { return }
    let clock = StandingClock(now: transaction.startedAt)
    let pending = PendingAuthorizations<AuthorizationTransaction>(InMemoryStorage(), clock: clock)
    try pending.add(transaction)
    let taken = try? pending.take(state: state, of: client)
    try Finding.unless((taken != nil) == (state == transaction.state), "a sign-in is found by its state only")
    try Finding.unless((try? pending.take(state: state, of: client)) == nil, "a sign-in is answered once")
  }

  private static func fields(_ form: FormBody) -> [[String]] { form.fields.map { [$0.name, $0.value] } }
}

private struct StandingClock: AuthenticationClock {
  let now: Date
  let uptime = Duration.zero
  func sleep(for duration: Duration) async throws(CancellationError) { throw CancellationError() }
}
#endif
