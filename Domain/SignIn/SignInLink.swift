import Foundation

/// Where the links lead that a provider sends by e-mail: an https address of the app's own.
public struct SignInLink: Sendable, Hashable {
  private let host: String
  private let path: String

  /// Links to this host and path, and to no other.
  ///
  /// - Parameters:
  ///   - host: the exact host, such as `app.example.com`.
  ///   - path: the exact path, such as `/sign-in`.
  public init(host: String, path: String) {
    self.host = host.lowercased()
    self.path = path
  }

  /// The link as a URL; nil if it leads elsewhere. A port, a user name and a fragment are not expected.
  func url(in link: Secret) -> URL? {
    guard let url = URL(string: link.reveal()), url.scheme?.lowercased() == "https",
      url.host(percentEncoded: true)?.lowercased() == host, url.path(percentEncoded: true) == path,
      url.user(percentEncoded: true) == nil, url.password(percentEncoded: true) == nil,
      url.port == nil || url.port == 443
    else { return nil }
    return url
  }
}
