import AuthenticationDomain
import Foundation

extension SecureStorage {
  /// Deletes the values of an earlier installation of the app: keychain items remain when the app is removed.
  ///
  /// A mark among the app's own data, which is removed with the app, identifies the installation. Only a mark that is
  /// certainly absent means a fresh installation; if the mark cannot be read, nothing is deleted.
  ///
  /// Use it from the app's first release on: a later version that begins to use it finds no mark, and signs its users
  /// out once.
  ///
  /// Items of a Keychain access group belong to each app of the team that is in it. One that is installed has no mark
  /// in its container, and would erase the session that the others use: there, keep the marks in the container of an
  /// App Group that all of them share, which is removed with the last of them, under one path.
  ///
  /// - Parameter marks: a storage in the app's own container, which is removed with the app, such as a ``FileStorage``.
  public func forgettingAfterReinstall(marks: some SecureStorage) -> some SecureStorage {
    ReinstallForgettingStorage(upstream: self, marks: marks)
  }
}

private struct ReinstallForgettingStorage<Upstream: SecureStorage, Marks: SecureStorage>: UnlockSignalingStorage {
  let upstream: Upstream
  let marks: Marks

  var identity: [String]? { upstream.identity }

  func read(_ key: String) throws(AuthenticationError) -> Data? {
    try forgetEarlierInstallation(key)
    return try upstream.read(key)
  }

  func write(_ value: Data, for key: String) throws(AuthenticationError) {
    try forgetEarlierInstallation(key)
    try upstream.write(value, for: key)
  }

  func delete(_ key: String) throws(AuthenticationError) { try upstream.delete(key) }

  func unlocks() -> AsyncStream<Void>? { upstream.unlockSignals() }

  /// Deletes first, then sets the mark: a process killed in between deletes again, before anything new was written.
  private func forgetEarlierInstallation(_ key: String) throws(AuthenticationError) {
    let mark: Data?
    do throws(AuthenticationError) { mark = try marks.read(key) } catch { return }
    guard mark == nil else { return }
    try upstream.delete(key)
    try marks.write(Data([1]), for: key)
  }
}
