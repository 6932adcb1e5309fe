/// The fate of a registration at its authorization server.
package enum RegistrationRemoval: Sendable, Hashable {
  case removed
  /// The server offers no way to remove it.
  case notOffered
  case refused(status: Int)
  case unreachable
}
