/// What a person does outside the app while an attempt waits, and what the app shows meanwhile.
public struct WaitingElsewhere: Sendable, Hashable {
  /// Where the person is busy.
  public let place: SignInMethod.Need
  /// The address to visit on another device (RFC 8628 §3.3).
  public let address: String?
  /// The address that includes the code, to show as a QR code.
  public let completeAddress: String?
  /// The code to type there.
  public let userCode: String?
  /// How long it is accepted, from now; nil if that is not known.
  public let lifetime: Duration?

  /// For a process that sends the person elsewhere.
  public init(
    _ place: SignInMethod.Need, address: String? = nil, completeAddress: String? = nil, userCode: String? = nil,
    lifetime: Duration? = nil
  ) {
    self.place = place
    self.address = address
    self.completeAddress = completeAddress
    self.userCode = userCode
    self.lifetime = lifetime
  }
}
