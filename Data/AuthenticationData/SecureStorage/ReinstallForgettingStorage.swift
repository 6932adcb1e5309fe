public import AuthenticationDomain
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Forgets what an earlier installation of the app left behind: items in a keychain outlive the app's removal.
///
/// A mark beside the app's own data, which goes with the app, tells an installation from the one before it. Only a mark
/// that is certainly absent is a fresh installation: one that cannot be read is none, and nothing is erased.
public struct ReinstallForgettingStorage<Upstream: SecureStorage, Marks: SecureStorage>: SecureStorage {
  let upstream: Upstream
  let marks: Marks

  /// That of the storage whose keys are forgotten.
  public var identity: StorageIdentity? { upstream.identity }

  public func read(_ key: String) throws(AuthenticationError) -> Data? {
    try forgetEarlierInstallation(key)
    return try upstream.read(key)
  }

  public func write(_ value: Data, for key: String) throws(AuthenticationError) {
    try forgetEarlierInstallation(key)
    try upstream.write(value, for: key)
  }

  public func delete(_ key: String) throws(AuthenticationError) { try upstream.delete(key) }

  /// Erased first, marked second: killed in between it erases once more, before anything new was written.
  private func forgetEarlierInstallation(_ key: String) throws(AuthenticationError) {
    let mark: Data?
    do throws(AuthenticationError) { mark = try marks.read(key) } catch { return }
    guard mark == nil else { return }
    try upstream.delete(key)
    try marks.write(Data([1]), for: key)
  }
}

extension SecureStorage {
  /// Erases a key once after each installation of the app.
  ///
  /// Begin with the app's first release: a version that begins later finds no mark, and signs its users out once.
  ///
  /// - Parameter marks: in the app's own container, which goes with the app, such as a ``FileStorage``.
  public func forgettingAfterReinstall<Marks: SecureStorage>(
    marks: Marks
  ) -> ReinstallForgettingStorage<Self, Marks> {
    ReinstallForgettingStorage(upstream: self, marks: marks)
  }
}
