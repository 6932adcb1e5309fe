import AuthenticationTesting
import Foundation

extension TemporaryFolder {
  func mode(of path: String) -> Int? {
    let attributes = try? FileManager.default.attributesOfItem(atPath: url.appending(path: path).path)
    return (attributes?[.posixPermissions] as? NSNumber)?.intValue
  }

  /// The names of all files, hidden ones too.
  func names(in path: String) -> Set<String> {
    Set((try? FileManager.default.contentsOfDirectory(atPath: url.appending(path: path).path)) ?? [])
  }
}
