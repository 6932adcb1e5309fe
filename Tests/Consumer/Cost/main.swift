import AuthenticationData
import AuthenticationDomain
import Foundation

/// A team that embeds AuthenticationData alone: the measure is the cost of this.
let folder = FileManager.default.temporaryDirectory.appending(path: "cost-\(UUID().uuidString)")
let clock = SystemClock()
let product = try AuthProviderConfiguration.api(baseURL: "https://api.example.com")
  .make(.init(httpClient: SystemHTTPClient().retrying(), clock: clock))
let manager = AuthManager(
  provider: product.provider, store: FileStorage(folder: folder).sessionStore(), clock: clock)
let client = try SystemHTTPClient().retrying().followRedirects()
  .authorized(by: manager, for: product.allowedOrigins)
guard await manager.restore() == .signedOut(.absent) else { exit(1) }
print("ok")
