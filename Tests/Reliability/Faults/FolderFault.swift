import Foundation

/// A way for a folder to be closed to whom it belonged.
enum FolderFault: String, CaseIterable {
  case readOnly = "read-only folder"
  case closed = "folder that cannot be entered"
  case foreignFolder = "folder of another owner"
  case foreignFile = "session file of another owner"

  var needsRoot: Bool { self == .foreignFolder || self == .foreignFile }

  /// The allowed results of a process that is started meanwhile: its folder it opens again.
  func allows(_ state: String) -> Bool {
    state.hasPrefix(needsRoot ? "unavailable storage_unavailable" : "signed-in ada")
  }

  func begin(_ folder: String) throws {
    switch self {
    case .readOnly: try set([.posixPermissions: 0o500], folder)
    case .closed: try set([.posixPermissions: 0o000], folder)
    case .foreignFolder: try set([.ownerAccountID: 0, .groupOwnerAccountID: 0], folder)
    case .foreignFile: try set([.ownerAccountID: 0, .groupOwnerAccountID: 0], Self.session(in: folder))
    }
  }

  func end(_ folder: String, owner: Int) throws {
    switch self {
    case .readOnly, .closed: try set([.posixPermissions: 0o700], folder)
    case .foreignFolder: try set([.ownerAccountID: owner, .groupOwnerAccountID: owner], folder)
    case .foreignFile:
      try set([.ownerAccountID: owner, .groupOwnerAccountID: owner], Self.session(in: folder))
    }
  }

  private func set(_ attributes: [FileAttributeKey: Any], _ path: String) throws {
    try FileManager.default.setAttributes(attributes, ofItemAtPath: path)
  }

  private static func session(in folder: String) throws -> String {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    // The record of pending work is next to it, and the order of a folder is that of its file system.
    let sessions = names.filter { $0.hasPrefix("session.") && !$0.hasSuffix("pending%20log") }
    guard sessions.count == 1 else { throw CocoaError(.fileNoSuchFile) }
    return folder + "/" + sessions[0]
  }
}
