import AuthenticationCognito
import AuthenticationKit
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import VendorServers

extension Stage {
  static func cognito() async throws -> Self {
    let clock = ManualClock()
    let server = LoopbackCognito(clock: clock)
    server.addAccount("ada", password: "correct horse", email: "ada@example.com", phone: "+491701234567")
    let url = try await server.start().absoluteString
    let login = CognitoManagedLogin(
      domain: url, redirect: .address("com.example.app:/callback"),
      presenter: VisitingBrowser { try await server.visit($0) })
    let pool = CognitoUserPool(
      id: "us-east-1_Loopback", clientID: "client1", endpoint: url,
      methods: [.plainPassword, .emailCode, .phoneCode, .browser, .browser(.google)], managedLogin: login)
    let ada = SampleUser(
      fields: [
        .userName: "ada", .password: "correct horse", .phoneNumber: "+491701234567", .emailAddress: "ada@example.com",
      ]
    ) { _ in
      guard let message = server.messages.last else { throw SampleUser.NothingAtHand() }
      return .code(Secret(message.code))
    }
    return Stage(provider: .cognito(pool), clock: clock, user: ada, server: server)
  }
}
