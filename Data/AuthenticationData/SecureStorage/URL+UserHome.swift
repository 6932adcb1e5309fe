#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

extension URL {
  /// `$HOME` if it is an absolute path, else the home of this user's account: a job that runs with a home of its own
  /// must not find, or replace, the account's sessions.
  package static var userHome: URL { userHome(ProcessInfo.processInfo.environment) }

  static func userHome(_ environment: [String: String]) -> URL {
    guard let home = environment["HOME"], home.hasPrefix("/") else { return .homeDirectory }
    return URL(filePath: home, directoryHint: .isDirectory)
  }
}
