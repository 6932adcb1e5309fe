import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The link of a mail, which other services may have wrapped once or twice (`link`, `deep_link_id`).
struct FirebaseLink {
  /// What the link is for: `signIn`, `resetPassword`, `verifyEmail`, `verifyAndChangeEmail`.
  let mode: String
  /// The code in it, which works once.
  let code: Secret

  /// - Throws: ``AuthenticationError/Code/invalidLink`` if there is no code in it, or another project's.
  init(_ url: URL, apiKey: String) throws(AuthenticationError) {
    var url = url
    for _ in 0..<3 {
      let query = Self.query(of: url)
      if let mode = query["mode"], let code = query["oobCode"], !code.isEmpty {
        guard query["apiKey"] ?? apiKey == apiKey else { throw .invalidLink }
        (self.mode, self.code) = (mode, Secret(code))
        return
      }
      guard let inner = query["link"] ?? query["deep_link_id"], let next = URL(string: inner) else { break }
      url = next
    }
    throw .invalidLink
  }

  /// Its parameters; one that is repeated counts as absent.
  private static func query(of url: URL) -> [String: String] {
    let items = URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems ?? []
    return Dictionary(grouping: items, by: \.name).compactMapValues { $0.count == 1 ? $0[0].value : nil }
  }
}
