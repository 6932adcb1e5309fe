import AuthenticationData
import AuthenticationDomain
import AuthenticationPresentation
import Foundation

/// A team that embeds the three layers and composes them itself.
let folder = FileManager.default.temporaryDirectory.appending(path: "layers-\(UUID().uuidString)")
defer { try? FileManager.default.removeItem(at: folder) }

let clock = SystemClock()
let configuration = AuthProviderConfiguration.api(baseURL: "https://api.example.com")
let product = try configuration.make(.init(httpClient: SystemHTTPClient().retrying(), clock: clock))
let files = FileStorage(folder: folder)
let manager = AuthManager(
  provider: product.provider, store: files.sessionStore(), lock: files.sessionLock(for: "session"), clock: clock)
let useCase = manager.intercept { _ in }.addValidation()
let client = try SystemHTTPClient().followRedirects().authorized(by: manager, for: product.allowedOrigins)

await manager.restore()
let viewModel = AuthenticationViewModel(useCase: useCase, control: manager)
viewModel.signIn()
await viewModel.finished()
guard viewModel.problems.first == .blankUserName, manager.state == .signedOut(.absent) else {
  fatalError("The layers do not compose: \(manager.state), \(viewModel.problems)")
}
print("ok")
