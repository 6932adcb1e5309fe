import AuthenticationKit
import AuthenticationTesting
import AuthenticationTestingServers

extension Stage {
  static func api() async throws -> Self {
    let clock = ManualClock()
    let server = LoopbackIdentityServer(clock: clock)
    let url = try await server.start()
    return Stage(
      provider: .api(baseURL: url), clock: clock,
      user: SampleUser(fields: [.userName: "ada", .password: "correct horse"]), server: server)
  }
}
