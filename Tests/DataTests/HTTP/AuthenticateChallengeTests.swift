import Testing

@testable import AuthenticationData

/// RFC 9110 §11.6.1, and the texts that servers send instead.
@Suite struct AuthenticateChallengeTests {
  typealias Challenge = AuthenticateChallenge

  @Test(
    arguments: [
      ("", []), (" ,, , ", []), ("=", []), (",=,", []),
      ("Bearer", [Challenge(scheme: "bearer")]), ("  BEARER  ", [Challenge(scheme: "bearer")]),
      ("Bearer,Basic", [Challenge(scheme: "bearer"), Challenge(scheme: "basic")]),
      ("Bearer error=invalid_token", [Challenge(scheme: "bearer", parameters: ["error": "invalid_token"])]),
      (
        "Bearer realm=\"a, b\", ERROR = \"invalid_token\" ,scope=\"x y\"",
        [Challenge(scheme: "bearer", parameters: ["realm": "a, b", "error": "invalid_token", "scope": "x y"])]
      ),
      (#"Basic realm="a \"quoted\" \\ b""#, [Challenge(scheme: "basic", parameters: ["realm": #"a "quoted" \ b"#])]),
      (
        "Basic realm=\"x\", Bearer error=\"invalid_token\"",
        [
          Challenge(scheme: "basic", parameters: ["realm": "x"]),
          Challenge(scheme: "bearer", parameters: ["error": "invalid_token"]),
        ]
      ),
      (
        "Basic realm=\"x, Bearer error=insufficient_scope\"",
        [Challenge(scheme: "basic", parameters: ["realm": "x, Bearer error=insufficient_scope"])]
      ),
      ("Basic realm=\"never closed", [Challenge(scheme: "basic", parameters: ["realm": "never closed"])]),
      ("Basic realm=\"ends with \\", [Challenge(scheme: "basic", parameters: ["realm": "ends with \\"])]),
      ("Bearer error=", [Challenge(scheme: "bearer", parameters: ["error": ""])]),
      ("Bearer error=\"\"", [Challenge(scheme: "bearer", parameters: ["error": ""])]),
      ("Bearer\terror=a", [Challenge(scheme: "bearer", parameters: ["error": "a"])]),
      ("Bearer a=1 b=2", [Challenge(scheme: "bearer", parameters: ["a": "1", "b": "2"])]),
      ("Bearer error=\"ä\u{1F600}\"", [Challenge(scheme: "bearer", parameters: ["error": "ä\u{1F600}"])]),
    ] as [(String, [Challenge])])
  func `a header is read as its challenges`(header: String, challenges: [Challenge]) {
    #expect(Challenge.parse(header) == challenges)
  }

  @Test(arguments: [
    "error=a, error=b", "Error=a, Error=b", "error=a, ERROR=b", "ERROR=a, error=b", "Error=\"a\",Error=\"\"",
  ])
  func `of a repeated parameter the first counts, in any case`(parameters: String) {
    #expect(Challenge.parse("Bearer \(parameters)") == [Challenge(scheme: "bearer", parameters: ["error": "a"])])
  }

  @Test(arguments: ["Negotiate YII=", "Negotiate YIIabc==, Basic realm=\"x\"", "Negotiate a/b+c-d._~"])
  func `a token of another scheme does not hide the challenge that follows`(header: String) {
    let challenges = Challenge.parse(header + ", Bearer error=\"invalid_token\"")
    #expect(challenges.first?.scheme == "negotiate")
    #expect(challenges.last == Challenge(scheme: "bearer", parameters: ["error": "invalid_token"]))
  }

  @Test func `a header cut off anywhere is read without a crash`() {
    let header = Array(#"Basic realm="a \"b\"", Negotiate YII==, Bearer error="invalid_token", scope="x y""#)
    for count in 0...header.count { _ = Challenge.parse(String(header.prefix(count))) }
  }

  @Test func `a header without end is read up to 8 KiB`() {
    #expect(Challenge.parse(String(repeating: "a,", count: 1_000_000)).count == 4_096)
    #expect(
      Challenge.parse("Bearer error=\"" + String(repeating: "a", count: 1_000_000))[0].parameters["error"]?.count
        == 8_178)
    #expect(Challenge.parse(String(repeating: "\"", count: 1_000_000)).isEmpty)
  }
}
