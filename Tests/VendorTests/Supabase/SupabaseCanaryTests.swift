import AuthenticationDomain
import AuthenticationKit
import AuthenticationSupabase
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import Testing

@Suite(.timeLimit(.minutes(10))) struct SupabaseCanaryTests {
  @Test func `nothing that the library prints holds a secret of a sign-in`() async throws {
    let bench = try await SupabaseBench()
    bench.addAda(factorSecret: SupabaseBench.secret)
    var printed = ""
    let attempt = try await bench.begin(.password, [.userName: "ada@example.com", .password: "correct horse"])
    dump(attempt.state, to: &printed)
    printed += String(reflecting: attempt.state) + "\(attempt.state)"
    let challenge = try #require(attempt.state.challenge)
    attempt.answer(code: bench.oneTimePassword)
    await attempt.finished()
    dump(bench.root.manager.state, to: &printed)
    printed += String(reflecting: bench.root.provider) + "\(bench.root.provider)"
    printed += bench.requests("token password").map { "\($0)" }.joined()
    let session = try await bench.root.manager.validSession()
    let secrets = [
      "correct horse", session.accessToken.value.reveal(), session.tokens.refresh?.reveal() ?? "",
      challenge.handle.reveal(), bench.oneTimePassword.reveal(),
    ]
    for secret in secrets { #expect(!printed.contains(secret)) }
  }
}
