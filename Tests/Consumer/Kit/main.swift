import AuthenticationKit
import Foundation

/// An app that uses the whole kit from outside its package.
let folder = FileManager.default.temporaryDirectory.appending(path: "kit-\(UUID().uuidString)")
defer { try? FileManager.default.removeItem(at: folder) }

let provider = MembersOnly()
let origin = Origin(URL(string: "https://api.example.com/")!)!
let first = try MainRoot(.custom(provider, allowedOrigins: [origin])) {
  $0.storage = .files(in: folder)
  $0.providerTransport = NoNetwork()
  $0.apiTransport = NoNetwork()
}

do {
  try await first.useCase.login(username: "ada", password: "wrong")
  expect("a wrong password is refused", false)
} catch {
  expect("a wrong password is refused", error == .invalidCredentials)
}
let user = try await first.manager.login(username: "ada", password: "correct horse")
expect("a custom provider signs in", user.id == "7" && first.currentUser == user)
#if canImport(Security)
let request = try await first.requestAuthorizer.authorized(URLRequest(url: URL(string: "https://api.example.com/me")!))
expect("a request is authorized", request.value(forHTTPHeaderField: "Authorization") == "Bearer access-1")
#endif

let second = try Auth.configure(for: .custom(provider, allowedOrigins: [origin])) { $0.storage = .files(in: folder) }
await second.manager.restore()
expect("a second root on the same folder restores the session", try Auth.session?.user == user)
expect("Auth provides the manager and its session", try await Auth.manager.validSession() == Auth.session)
expect("the restored session is authenticated", try await Auth.manager.isAuthenticated())

let viewModel = second.makeViewModel()
viewModel.signOut()
await viewModel.finished()
let isSignedOut = if case .signedOut(.requested, _) = viewModel.state { true } else { false }
expect("a view model signs out", isSignedOut && viewModel.failure == nil)
expect("no user is signed in afterwards", try Auth.session == nil)
await second.manager.deliverRevocations()
expect("the provider heard of it", provider.revoked == 1)

let third = try MainRoot(.custom(provider)) { $0.storage = .files(in: folder) }
expect("only the reason is left in the folder", await third.manager.restore() == .signedOut(.requested))
Auth.configure(with: nil)
print("ok")
