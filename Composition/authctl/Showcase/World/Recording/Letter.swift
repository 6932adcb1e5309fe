import Foundation

/// A code or a link that a provider has sent to a person's mailbox or phone.
struct Letter: Sendable {
  let address: String
  /// What it is for, such as `signup`.
  let type: String
  let code: String?
  var link: URL?
}
