import AuthenticationKit

let provider = AuthProviderConfiguration.api(baseURL: "https://api.example.com")

/// An app that is the same for every provider: `check` builds it again with the line above changed, and at most one
/// more import.
let root = try MainRoot(provider) { $0.storage = .inMemory }
let model = root.makeViewModel()
let isSignedOut = await root.manager.restore() == .signedOut(.absent)
do {
  _ = try await root.manager.validSession()
} catch {
  guard isSignedOut, error == .notSignedIn else { fatalError("Not composed: \(error)") }
  print("ok: \(root.providerName)")
}
