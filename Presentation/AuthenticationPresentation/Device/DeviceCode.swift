package import AuthenticationDomain

/// A code that a person types on another device (RFC 8628 §3.3).
public struct DeviceCode: Sendable, Equatable {
  /// The code, as the provider wrote it.
  public let userCode: String
  /// The address to visit.
  public let address: String
  /// The address that includes the code; nil if the provider gave none.
  public let completeAddress: String?
  /// When it is taken no more; nil if that is not known.
  public let expiresAt: Deadline?

  package init?(_ waiting: WaitingElsewhere, by clock: any AuthenticationClock) {
    guard let code = waiting.userCode, let address = waiting.address else { return nil }
    userCode = code
    self.address = address
    completeAddress = waiting.completeAddress
    expiresAt = waiting.lifetime.map { Deadline(in: $0, by: clock) }
  }

  /// What a QR code holds, beside which the code and the address stay to be read (RFC 8628 §3.3.1).
  public var scannedAddress: String { completeAddress ?? address }

  /// The code one character after the other, for assistive technology.
  public var spelledCode: String {
    userCode.compactMap { $0.isLetter || $0.isNumber ? String($0) : nil }.joined(separator: " ")
  }

  /// The host of the address in ASCII, so that a look-alike in another alphabet is seen; nil if there is none.
  public var host: String? { ASCIIHost.host(of: address) }
}
