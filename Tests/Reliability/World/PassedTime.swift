package import Foundation

/// The time that has passed in a trial besides the machine's own, for all its processes: a number in a file.
package struct PassedTime: Sendable {
  /// Longer than any access token lasts.
  private static let anHour = 3_601

  package let file: URL

  package init(_ file: URL) { self.file = file }

  /// Starts at zero, where processes of any user may read it and move it on.
  package init(startingIn folder: URL) throws {
    file = folder.appending(path: "passed")
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.path)
    try write(0)
  }

  package var seconds: Int {
    get throws {
      guard let seconds = Int(String(decoding: try Data(contentsOf: file), as: UTF8.self)) else {
        throw CocoaError(.fileReadCorruptFile)
      }
      return seconds
    }
  }

  /// Every access token that there is now is over.
  package func passAnHour() throws { try write(seconds + Self.anHour) }

  private func write(_ seconds: Int) throws {
    try Data("\(seconds)".utf8).write(to: file, options: .atomic)
    try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: file.path)
  }
}
