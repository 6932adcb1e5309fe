import AuthenticationData
import AuthenticationDomain
import AuthenticationKit

extension AuthManager {
  /// A manager that has restored this session from memory, with an access token of each resource.
  static func signedIn(
    _ session: AuthSession, with resources: [ProtectedResource] = []
  ) async throws -> AuthManager {
    let store = InMemoryStorage().sessionStore()
    var record = SessionRecord(session: session)
    for resource in resources { record.keep(session.accessToken, for: resource.key) }
    try store.save(record)
    let manager = AuthManager(
      provider: UnusedProvider(), store: store, clock: SystemClock(), resources: resources)
    await manager.restore()
    return manager
  }
}

extension StorageLocation {
  /// This store, with any provider.
  static func always(_ store: any SessionStore) -> Self {
    Self { _ in Realm(store: store) }
  }
}
