import AuthenticationData
public import AuthenticationDomain
public import Foundation

/// Every passkey that a server accepts for the signed-in user: a device may remove the others for ever.
///
/// Make one only of a complete response: of all pages, and without credentials only if the server says that there are
/// none.
public struct AcceptedPasskeys: Sendable, Hashable {
  package let userHandle: Data
  package let credentialIDs: [Data]
  package let userName: String
  package let displayName: String

  /// For a provider.
  ///
  /// - Parameters:
  ///   - credentialIDs: the ids of all credentials; empty removes every passkey of the user from the device.
  ///   - userHandle: the server's opaque id of the user, as in its creation options (`user.id`): 1 to 64 bytes.
  ///   - userName: which account this is, as in the creation options (`user.name`).
  ///   - displayName: the user's name (`user.displayName`); by default the user name.
  public init(credentialIDs: [Data], userHandle: Data, userName: String, displayName: String? = nil) {
    self.credentialIDs = credentialIDs
    self.userHandle = userHandle
    self.userName = userName
    self.displayName = displayName ?? userName
  }
}

extension Challenge.Kind {
  /// A passkey that the device creates by itself after a password sign-in, for ``AccountChange/enrol(_:)``: the response may
  /// say that no user was present (conditional creation, WebAuthn Level 3 §5.1.3). The step is a
  /// ``passkeyRegistration``.
  public static let conditionalPasskey = Self(id: "conditional_passkey")
}

extension JSONValue {
  /// The response of a passkey authenticator.
  package init(of response: Secret) throws(AuthenticationError) {
    guard let json = try? BoundedJSON.decode(Self.self, from: Data(response.reveal().utf8)) else {
      throw AuthenticationError(.invalidRequest, "The authenticator's response is not JSON; nothing was sent.")
    }
    self = json
  }
}
