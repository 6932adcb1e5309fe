@testable import AuthenticationFirebase
import AuthenticationKit
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import VendorServers

extension Stage {
  static func firebase() async throws -> Self {
    let clock = ManualClock()
    let server = LoopbackFirebase(clock: clock)
    server.addAccount(email: "ada@example.com", password: "correct horse")
    var project = FirebaseProject(apiKey: "api-key")
    project.endpoint = try await server.start().absoluteString
    project.continueURL = "https://app.example.com/sign-in"
    // Of another address: that of an account with a password would be no way in.
    server.user = .approves(.grace)
    project.pages = FirebasePages(
      [.google], redirect: .address("com.example.app:/callback"),
      presenter: VisitingBrowser { try await server.visit($0) })
    let ada = SampleUser(
      fields: [
        .userName: "ada@example.com", .password: "correct horse", .phoneNumber: "+491701234567",
        .emailAddress: "ada@example.com", .token: VendorToken.make(["uid": "ada"]),
      ],
      attributes: ["recaptchaToken": Secret("solved")]
    ) { challenge in
      if challenge.kind == .link, let mail = server.mails.last { return .link(mail.link) }
      guard let message = server.messages.last else { throw SampleUser.NothingAtHand() }
      return .code(Secret(message.code))
    }
    return Stage(provider: .firebase(project), clock: clock, user: ada, server: server)
  }
}
