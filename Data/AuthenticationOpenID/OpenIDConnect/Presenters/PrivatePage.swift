#if os(macOS) || os(Linux)
import AuthenticationDomain
import Foundation

/// A page in a file that only this user can read (0600, in a folder of 0700), which redirects a browser to an address
/// that other users must not know.
struct PrivatePage: Sendable {
  private let folder: String
  /// The file.
  let url: URL

  /// Throws ``AuthenticationError/Code/browserUnavailable`` if it cannot be written.
  init(leadingTo address: URL) throws(AuthenticationError) {
    guard let folder = Self.places.lazy.compactMap(Self.makeFolder).first else { throw .noPrivatePage }
    let file = "\(folder)/sign-in.html"
    let isWritten = FileManager.default.createFile(
      atPath: file, contents: Data(Self.html(leadingTo: address).utf8), attributes: [.posixPermissions: 0o600])
    self.folder = folder
    url = URL(filePath: file)
    guard isWritten else {
      remove()
      throw .noPrivatePage
    }
  }

  func remove() { try? FileManager.default.removeItem(atPath: folder) }

  /// The home folder first: a sandboxed browser (snap, Flatpak) can read there, but no hidden and no temporary folder.
  private static var places: [String] {
    let home = ProcessInfo.processInfo.environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    #if os(macOS)
    return [NSTemporaryDirectory()]
    #else
    return [home, NSTemporaryDirectory()].compactMap(\.self)
    #endif
  }

  private static func makeFolder(in place: String) -> String? {
    var template = Array("\(place)/sign-in-XXXXXX".utf8CString)
    return unsafe template.withUnsafeMutableBufferPointer { name in
      unsafe mkdtemp(name.baseAddress!).map { unsafe String(cString: $0) }
    }
  }

  /// The page runs no script, and sends no referrer.
  private static func html(leadingTo address: URL) -> String {
    let address = address.absoluteString.escapedForHTML
    return """
      <!DOCTYPE html>
      <html>
      <head>
      <meta charset="utf-8">
      <meta name="referrer" content="no-referrer">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'">
      <meta http-equiv="refresh" content="0;url=\(address)">
      <title>Sign in</title>
      </head>
      <body><a href="\(address)">Go on to sign in</a></body>
      </html>

      """
  }
}

extension String {
  fileprivate var escapedForHTML: String {
    var escaped = ""
    for character in self {
      switch character {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      default: escaped.append(character)
      }
    }
    return escaped
  }
}

extension AuthenticationError {
  fileprivate static let noPrivatePage = Self(
    .browserUnavailable, "No file that only this user can read could be made for the browser.",
    suggestion: "Check the home and the temporary folder, or show the page's address to the person.")
}
#endif
