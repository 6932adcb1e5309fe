import AuthenticationData
import AuthenticationDomain
import AuthenticationKit

extension AuthManager {
  /// A manager that has restored this session from memory.
  static func signedIn(_ session: AuthSession) async throws -> AuthManager {
    let store = InMemoryStorage().sessionStore()
    try store.save(SessionRecord(session: session))
    let manager = AuthManager(provider: UnusedProvider(), store: store, clock: SystemClock())
    await manager.restore()
    return manager
  }
}

extension StorageLocation {
  /// This store, whatever the provider.
  static func always(_ store: any SessionStore) -> Self {
    Self { _ in Realm(store: store) }
  }
}
