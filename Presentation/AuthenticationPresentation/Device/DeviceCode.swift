package import AuthenticationDomain
import Foundation

/// A code that a user types on another device (RFC 8628 §3.3).
public struct DeviceCode: Sendable, Equatable {
  /// The code, as the provider wrote it.
  public let userCode: String
  /// The address to visit.
  public let address: String
  /// The address that includes the code; nil if the provider gave none.
  package let completeAddress: String?
  /// When it expires; nil if that is not known.
  package let expiresAt: Deadline?

  package init?(_ interaction: ExternalInteraction, by clock: any AuthenticationClock) {
    guard let code = interaction.userCode, let address = interaction.address else { return nil }
    userCode = code
    self.address = address
    completeAddress = interaction.completeAddress
    expiresAt = interaction.lifetime.map { Deadline(in: $0, by: clock) }
  }

  /// The content of a QR code; the code and the address stay readable as text (RFC 8628 §3.3.1).
  public var scannedAddress: String { completeAddress ?? address }

  /// The code one character after the other, for assistive technology.
  package var spelledCode: String {
    userCode.compactMap { $0.isLetter || $0.isNumber ? String($0) : nil }.joined(separator: " ")
  }

  /// The host of the address in ASCII, so that a look-alike in another alphabet is seen; nil if there is none.
  public var host: String? {
    // Browsers read a backslash as a slash, and Foundation does not.
    guard !address.contains("\\") else { return nil }
    let url = address.contains("://") ? address : "https://" + address
    return URLComponents(string: url)?.encodedHost?.lowercased()
  }
}
