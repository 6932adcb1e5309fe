import AuthenticationData
import AuthenticationDomain
import AuthenticationKit

extension AuthManager {
  /// A manager that has restored this session from memory.
  static func signedIn(_ session: AuthSession) async throws -> AuthManager {
    let store = SecureSessionStore(InMemoryStorage())
    try store.save(SessionRecord(session: session))
    let manager = AuthManager(provider: UnusedProvider(), store: store, clock: SystemClock())
    await manager.restore()
    return manager
  }
}

extension SessionStorage {
  /// This store, whatever the provider.
  static func always(_ store: any SessionStore) -> Self {
    Self { _ in Place(store: store) }
  }
}
