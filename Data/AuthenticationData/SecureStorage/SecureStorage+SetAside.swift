#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

extension SecureStorage {
  /// Keeps a copy of what cannot be read under a key of its own, and answers that key; nil where it cannot be kept.
  ///
  /// The key is made of the content, so that setting the same aside again makes no second copy.
  package func setAside(_ data: Data, of key: String) -> String? {
    let copy = "\(key).quarantine-\(String(decoding: data.fnv1aDigits, as: UTF8.self))"
    do {
      if try read(copy) == nil { try write(data, for: copy) }
      return copy
    } catch {
      return nil
    }
  }
}
