import AuthenticationKit
import Foundation

/// The folder of one profile: its settings, and its session where that is kept in a file.
struct ProfileFolder {
  let name: String
  private let url: URL
  private let key = "profile"

  var files: FileStorage { FileStorage(folder: url) }

  init(_ name: String) {
    self.name = name
    url = Self.home.appending(path: "profiles/\(name)")
  }

  /// `AUTHCTL_HOME`, or the platform's folder for state.
  private static var home: URL {
    let environment = ProcessInfo.processInfo.environment
    if let home = environment["AUTHCTL_HOME"], !home.isEmpty { return URL(filePath: home) }
    #if canImport(Darwin)
    return URL.userHome.appending(path: "Library/Application Support/authctl")
    #else
    if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") { return URL(filePath: "\(state)/authctl") }
    return URL.userHome.appending(path: ".local/state/authctl")
    #endif
  }

  func load() throws(AuthenticationError) -> Profile? {
    guard let data = try files.read(key) else { return nil }
    guard let profile = try? BoundedJSON.decode(Profile.self, from: data) else {
      throw AuthenticationError(
        .storageCorrupt, "The settings of profile '\(name)' cannot be read.", suggestion: "Log in again.")
    }
    return profile
  }

  /// As ``load()``, for who replaces what is there: nil, too, where it cannot be read as settings; the latest copy of that is kept.
  func loadSettingAside() throws(AuthenticationError) -> Profile? {
    do {
      return try load()
    } catch {
      guard error.code == .storageCorrupt else { throw error }
      // What is too large to be read gets another name when it is replaced.
      guard let data = try? files.read(key) else { return nil }
      guard files.setAside(data, of: key) != nil else { throw error }
      return nil
    }
  }

  func save(_ profile: Profile) throws(AuthenticationError) {
    guard let data = try? JSONEncoder().encode(profile) else {
      throw AuthenticationError(.storageUnavailable, "The settings of profile '\(name)' cannot be written as JSON.")
    }
    try files.write(data, for: key)
  }

  /// Throws where the settings or a session could not be saved now.
  func checkSaving(_ kind: StorageKind) throws(AuthenticationError) {
    try SessionStorage.files(in: url).checkSaving()
    if kind != .file { try storage(kind).checkSaving() }
  }

  func storage(_ kind: StorageKind) throws(AuthenticationError) -> SessionStorage {
    if kind == .file { return .files(in: url) }
    #if os(Linux)
    if kind == .secretService { return .secretService("authctl", locksIn: url) }
    #endif
    return .secure(try secrets(kind), key: "session.\(name)")
  }

  func secrets(_ kind: StorageKind) throws(AuthenticationError) -> any SecureStorage {
    switch kind {
    case .file: return files
    case .keychain:
      #if canImport(Security)
      return KeychainStorage(service: "authctl")
      #else
      throw .missing(kind)
      #endif
    case .secretService:
      #if os(Linux)
      return SecretServiceStorage(service: "authctl", folder: url)
      #else
      throw .missing(kind)
      #endif
    }
  }
}

extension AuthenticationError {
  fileprivate static func missing(_ kind: StorageKind) -> Self {
    Self(.storageUnavailable, "There is no \(kind.rawValue) here.", suggestion: "Use --storage file.")
  }
}
