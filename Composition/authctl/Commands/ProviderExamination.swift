import AuthenticationKit
import AuthenticationOpenID
import Foundation

/// Checks a provider's configuration without signing in: that one can be made of it, and that the provider knows this
/// client. It is asked to refresh a session that nobody has: who refuses that has accepted everything else.
struct ProviderExamination {
  let options: ProviderOptions
  let client: any HTTPClient
  let console: Console

  func examine() async -> Examination {
    var examination = Examination()
    do {
      let root = try options.root(console, transport: client)
      if let issuer = root.provider.issuer?.discoveredIssuer {
        examination = Examination(await IssuerReport.examine(issuer: issuer, client: client))
        if examination.exitStatus != nil { return examination }
      }
      examination.add("config", "Every option can be right.")
      examination.add("methods", "People can sign in: \(root.methods.map(\.id).joined(separator: ", ")).")
      await examine(root, &examination)
    } catch let error as AuthenticationError {
      examination.add("config", error)
    } catch {
      examination.add("config", .invalidConfiguration("\(error)"))
    }
    return examination
  }

  private func examine(_ root: MainRoot, _ examination: inout Examination) async {
    let nobodys = Secret("authctl-doctor")
    do throws(AuthenticationError) {
      let token = try AccessToken(nobodys, receivedAt: Date())
      _ = try await root.provider.refresh(
        AuthSession(user: User(id: "nobody"), tokens: SessionTokens(access: token, refresh: RefreshToken(nobodys))))
      examination.add("client", "The provider answers.")
    } catch {
      switch error.code {
      case _ where error.code.disposition == .endsSession:
        examination.add("client", "The provider answers, and knows this client.")
      case .clientRejected, .invalidRequest:
        let names = options.kind.required.map { "--\($0.name)" }.joined(separator: ", ")
        examination.add("client", error, advice: "Check \(names).")
      case .unreachable, .timedOut, .connectionLost, .insecureConnection, .serverFailed, .rateLimited:
        examination.add("answer", error)
      default:
        examination.add("answer", error, advice: "Check whether such a provider is where the options say.")
      }
    }
  }
}

extension ProviderOptions {
  /// The provider that is named; nothing of it is stored.
  func root(_ console: Console, transport: (any HTTPClient)? = nil) throws -> MainRoot {
    let setup = ProviderSetup(settings, clientSecret: try client.secret(console))
    return try MainRoot(kind.configuration(setup, realm: kind.name)) {
      $0.storage = .secure(InMemoryStorage())
      $0.renewal = .onDemand
      $0.providerTransport = transport
    }
  }
}
