import AuthenticationData
public import AuthenticationDomain
public import Foundation

/// An address to change to, or to verify.
public enum AccountAddress: Sendable, Hashable {
  /// An e-mail address.
  case email(String)
  /// A phone number with its country code (E.164).
  case phone(String)

  package func validate() throws(AuthenticationError) {
    switch self {
    case .email(let address): try EmailCredentials(address: address).validate()
    case .phone(let number): try PhoneCredentials(phoneNumber: number).validate()
    }
  }
}

/// A way to sign in to an account.
public struct LinkedMethod: Sendable, Hashable, Identifiable {
  /// The provider's own id of it.
  public let id: String
  /// Which method it is.
  public let method: SignInMethod
  /// A label for the user, such as an address at the other service.
  public let label: String?

  /// For a provider.
  public init(id: String, method: SignInMethod, label: String? = nil) {
    self.id = id
    self.method = method
    self.label = label
  }
}

/// A second factor or a passkey of an account.
public struct EnrolledFactor: Sendable, Hashable, Identifiable {
  /// The provider's own id of it.
  public let id: String
  /// The kind of its answer.
  public let kind: Challenge.Kind
  /// A label for the user, such as the user's name for it.
  public let label: String?
  /// When it was added (UTC), if the provider says so.
  public let createdAt: Date?

  /// For a provider.
  public init(id: String, kind: Challenge.Kind, label: String? = nil, createdAt: Date? = nil) {
    self.id = id
    self.kind = kind
    self.label = label
    self.createdAt = createdAt
  }
}

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

/// A session of the user on some device.
public struct RemoteSession: Sendable, Hashable, Identifiable {
  /// The provider's own id of it.
  public let id: String
  /// Whether it is the one that asks.
  public let isCurrent: Bool
  /// A label for the user, such as a browser's name.
  public let label: String?
  /// When it was last used (UTC), if the provider says so.
  public let lastUsedAt: Date?

  /// For a provider.
  public init(id: String, isCurrent: Bool, label: String? = nil, lastUsedAt: Date? = nil) {
    self.id = id
    self.isCurrent = isCurrent
    self.label = label
    self.lastUsedAt = lastUsedAt
  }
}

/// The changes of a user's profile; a nil member stays as it is.
public struct ProfileChanges: Sendable, Hashable {
  /// The name to show.
  public var name: String?
  /// The address of a picture.
  public var picture: String?
  /// The user's language and region (BCP 47).
  public var locale: String?
  /// Further members, by the provider's own names.
  public var claims: [String: JSONValue]

  /// Changes nothing unless told otherwise.
  public init(name: String? = nil, picture: String? = nil, locale: String? = nil, claims: [String: JSONValue] = [:]) {
    self.name = name
    self.picture = picture
    self.locale = locale
    self.claims = claims
  }
}

/// An account service that some providers offer: an app shows only those that work.
public enum AccountAbility: String, Sendable {
  /// Creates accounts; see ``RemoteAuthProvider/createsAccounts``.
  case signUp = "sign-up"
  /// See ``AccountChange/resetPassword(of:)``.
  case resetPassword = "reset-password"
  /// See ``AccountChange/changePassword(from:to:)``.
  case changePassword = "change-password"
  /// See ``AccountChange/verify(_:)``.
  case verify
  /// Lists, adds and removes ways to sign in.
  case link
  /// Lists, adds and removes second factors and passkeys.
  case factors
  /// Lists and ends sessions.
  case sessions
  /// See ``AccountChange/deleteAccount``.
  case delete
  /// Reads, and perhaps changes, the profile of the user.
  case profile
  /// Answers the challenge of another service, as each provider with account services does.
  case answer
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
