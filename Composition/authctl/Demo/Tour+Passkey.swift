import AuthenticationKit
import AuthenticationPasskeys
import AuthenticationTestingServers
import Foundation

extension Tour {
  /// The server checks what the authenticator signed, by an implementation of its own.
  func passkey() async throws {
    begin("A passkey in place of a password")
    let authenticator = SoftwareAuthenticator(origin: Self.origin)
    let root = try launch(authenticator)
    await root.manager.restore()
    let outcome = try await root.account.enrol(.passkey)
    guard case .challenge(let challenge) = outcome else { return check("the server asks for a passkey", false) }
    let asked = authenticator.checking(relyingPartyID: Self.relyingPartyID)
    check("grace's new passkey is accepted", try await root.account.answer(try await asked.answer(challenge)) == .done)
    check("her account lists it", try await root.account.factors().map(\.kind) == [.passkey])
    let stranger = SoftwareAuthenticator(origin: Self.origin)
    if case .challenge(let unanswered) = try await root.account.enrol(.passkey) {
      _ = try await stranger.checking(relyingPartyID: Self.relyingPartyID).answer(unanswered)
    }
    try await root.manager.signOut()
    await root.manager.deliverRevocations()

    let attempt = try root.attempts.begin(.passkey)
    attempt.submit()
    check("it signs her in, without name and password", await signedIn(attempt)?.id == "grace")
    check("the server saw no password", server.counters.requests(on: .signIn) == 0)
    try await root.manager.signOut()
    await root.manager.deliverRevocations()

    let refused = try launch(stranger).attempts.begin(.passkey)
    refused.submit()
    await refused.settled()
    check("one that the server has not seen does not", refused.state.failure?.code == .invalidCredentials)
    refused.cancel()

    let declining = SoftwareAuthenticator(origin: Self.origin, person: .declines)
    let declined = try launch(declining).attempts.begin(.passkey)
    declined.submit()
    check("who declines has cancelled, and nothing failed", await declined.settled() == .ended(.cancelled))
    check("nobody is signed in", server.counters.liveFamilies == 0)
  }

  private static let relyingPartyID = "localhost"
  private static let origin = "http://localhost"

  private func launch(_ authenticator: SoftwareAuthenticator) throws -> MainRoot {
    var contract = APIContract.standard
    contract.account = .standard
    contract.methods = [.password, .passkey]
    contract.signInRequest = { credentials throws(AuthenticationError) in
      credentials is PasskeyCredentials ? APIRequest(.post, "auth/passkey") : nil
    }
    return try launch(contract) {
      $0.methods = [.password, .passkey(relyingPartyID: Self.relyingPartyID) { _ in authenticator }]
    }
  }
}
