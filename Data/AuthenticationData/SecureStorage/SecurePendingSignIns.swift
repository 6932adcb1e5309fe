package import AuthenticationDomain

/// Keeps the pending step of one realm in secure storage. What cannot be stored is lost with the process.
package actor SecurePendingSignIns: PendingSignInStore {
  private static let key = "sign-in"

  private let storage: any SecureStorage
  private let realm: String
  private let executor: any SerialExecutor
  /// A locked storage has kept what was to be removed.
  private var owesRemoval = false

  package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  /// - Parameter executor: where the storage is called, which may block.
  package init(
    _ storage: any SecureStorage, realm: String, executor: any SerialExecutor = BlockingExecutor()
  ) {
    self.storage = storage
    self.realm = realm
    self.executor = executor
  }

  package func save(_ pending: PendingSignIn) {
    guard let data = StoredPendingSignIn.encode(pending, realm: realm) else { return removeAll() }
    if (try? storage.write(data, for: Self.key)) != nil { owesRemoval = false } else { removeAll() }
  }

  package func pending() -> PendingSignIn? {
    if owesRemoval { removeAll() }
    return owesRemoval ? nil : stored
  }

  private var stored: PendingSignIn? {
    (try? storage.read(Self.key)).flatMap { StoredPendingSignIn.decode($0, realm: realm) }
  }

  package func remove(_ attempt: String) { if pending()?.attempt == attempt { removeAll() } }

  package func removeAll() {
    do {
      if try storage.read(Self.key) != nil { try storage.delete(Self.key) }
      owesRemoval = false
    } catch {
      owesRemoval = true
    }
  }
}
