import AuthenticationKit
import AuthenticationSupabase
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import VendorServers

extension Stage {
  static func supabase() async throws -> Self {
    let clock = ManualClock()
    let server = LoopbackSupabase(clock: clock)
    server.addAccount(email: "ada@example.com", password: "correct horse", phone: "+491701234567")
    var project = SupabaseProject(url: try await server.start().absoluteString, anonKey: "anon-key")
    project.redirectURL = "https://app.example.com/sign-in"
    let ada = SampleUser(
      fields: [
        .userName: "ada@example.com", .password: "correct horse", .phoneNumber: "+491701234567",
        .emailAddress: "ada@example.com",
      ]
    ) { challenge in
      guard let message = server.messages.last else { throw SampleUser.NothingAtHand() }
      guard challenge.kind == .link else { return .code(Secret(message.code)) }
      guard let link = message.link.flatMap(server.follow) else { throw SampleUser.NothingAtHand() }
      return .link(link)
    }
    return Stage(provider: .supabase(project), clock: clock, user: ada, server: server)
  }
}
