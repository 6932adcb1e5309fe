import AuthenticationKit
import AuthenticationOpenID
import Foundation

/// Checks a provider's configuration without signing in: that one can be made of it, that the provider knows this
/// client, and that it lets people sign in as the configuration says.
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
      await examine(root, &examination)
    } catch let error as AuthenticationError {
      examination.add("config", error)
    } catch {
      examination.add("config", .invalidConfiguration("\(error)"))
    }
    return examination
  }

  private func examine(_ root: MainRoot, _ examination: inout Examination) async {
    let refusal = await refusalToRefresh(at: root.provider)
    let isRefused = [.clientRejected, .invalidRequest].contains(refusal?.code)
    // Some services let a client without a secret sign people in by another device, and refresh nothing.
    let mayBeKnown = root.methods.contains { $0.needs.contains(.anotherDevice) } && !hasSecret
    if !isRefused || !mayBeKnown {
      add(refusal, to: &examination)
      if examination.exitStatus != nil || refusal?.code == .rateLimited { return }
    }
    let examined = await MethodExamination.examine(root)
    if isRefused, mayBeKnown, examined.refusesClient { return add(refusal, to: &examination) }
    if isRefused, mayBeKnown, !examined.allowed.isEmpty { add(nil, to: &examination) }
    examined.add(to: &examination)
  }

  /// Asks to refresh a session that nobody has: who refuses that has accepted everything else.
  private func refusalToRefresh(at provider: any RemoteAuthProvider) async -> AuthenticationError? {
    let nobodys = Secret("authctl-doctor")
    do throws(AuthenticationError) {
      let token = try AccessToken(nobodys, receivedAt: Date())
      _ = try await provider.refresh(
        AuthSession(user: User(id: "nobody"), tokens: SessionTokens(access: token, refresh: RefreshToken(nobodys))))
      return nil
    } catch {
      return error.code.disposition == .endsSession ? nil : error
    }
  }

  private func add(_ refusal: AuthenticationError?, to examination: inout Examination) {
    guard let refusal else { return examination.add("client", "The provider answers, and knows this client.") }
    switch refusal.code {
    case .clientRejected, .invalidRequest:
      let named = options.kind.required.filter { !$0.isAddress } + (hasSecret ? [.clientSecretFile] : [])
      examination.add("client", refusal, advice: "Check \(Self.list(named)).")
    case .rateLimited: examination.add("answer", refusal)
    default: examination.add("answer", refusal, advice: "Check \(Self.list(addresses)), and the network.")
    }
  }

  private var hasSecret: Bool { options.client.clientSecretFile != nil }

  /// The options that say where the provider is; of a vendor's own hosts none does.
  private var addresses: [ProviderOption] {
    let given = options.kind.options.filter { $0.isAddress && options.settings.has($0) }
    return given.contains(.endpoint) || given.isEmpty ? [.endpoint] : given
  }

  private static func list(_ options: [ProviderOption]) -> String {
    options.map { "--\($0.name)" }.joined(separator: ", ")
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
