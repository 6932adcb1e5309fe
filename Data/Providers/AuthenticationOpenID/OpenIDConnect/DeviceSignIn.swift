public import AuthenticationDomain

/// Signs in on another device, with a code that the user types there (RFC 8628).
///
/// ```swift
/// try await root.useCase.signIn(with: DeviceSignIn { show($0.address, $0.userCode) })
/// ```
public struct DeviceSignIn: Credentials {
  /// Called once, as soon as there is a code to show.
  let show: @Sendable (ExternalInteraction) async -> Void

  /// Creates a sign-in on another device, whose address, code and lifetime this closure shows (RFC 8628 §3.3).
  public init(show: @escaping @Sendable (ExternalInteraction) async -> Void) { self.show = show }

  /// ``SignInMethod/device``.
  public var method: SignInMethod { .device }
}
