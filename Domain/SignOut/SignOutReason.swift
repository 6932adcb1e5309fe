/// Why no user is signed in: an open set, compared by ``description``.
///
/// The store keeps the reason of the session that ended last, without tokens and without the user, until the next
/// sign-in: it is the same after a relaunch and in every process that shares the store.
///
/// ```swift
/// guard case .signedOut(let reason) = await root.manager.restore() else { return }
/// if reason.providerCode != "soft_logout" { log("The local data can go.") }
/// ```
public struct SignOutReason: Sendable, CustomStringConvertible {
  /// The reason in logs: stable.
  public let description: String
  /// How the provider ended the session, which each later call that needs a session throws; nil if it did not end it.
  public let failure: AuthenticationError?
  /// The provider's code for its reason, such as `soft_logout`: ``AuthenticationError/Details/providerCode`` of the
  /// error that its adapter threw at the refresh, where that is a plain token (`^[A-Za-z0-9_.:-]{1,64}$`); nil if it
  /// named none.
  public var providerCode: String? { failure?.providerCode }

  /// A custom reason.
  ///
  /// - Parameters:
  ///   - description: kept until the next sign-in where it is a plain token (`^[A-Za-z0-9_.:-]{1,64}$`).
  ///   - failure: how the provider ended the session; nil if it did not.
  public init(_ description: String, failure: AuthenticationError? = nil) {
    self.description = description
    self.failure = failure
  }

  /// The store holds no session, and none has ended since it was made.
  public static let absent = Self("absent")
  /// The user, or the app, signed out.
  public static let requested = Self("requested")
  /// The provider refused to refresh the session; ``failure`` and ``providerCode`` say more.
  public static let rejected = Self("rejected", failure: .sessionRejected)
  /// The response to a refresh was lost, and the provider refused the token that the lost response replaced.
  /// ``AuthManager/formerUser`` is the user.
  public static let ambiguousLoss = Self("ambiguous_loss", failure: .ambiguousLoss)
  /// The vendor that the user signed in with has ended the consent: the user took it back in the settings of the
  /// device, for example.
  public static let credentialRevoked = Self("credential_revoked")
  /// The user deleted the account.
  public static let accountDeleted = Self("account_deleted")
  /// Another process signed out.
  public static let elsewhere = Self("elsewhere")
}

extension SignOutReason: Hashable {
  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.description == rhs.description }
  public func hash(into hasher: inout Hasher) { hasher.combine(description) }
}

extension SignOutReason {
  /// This reason as a provider's refusal gave it: with its code, and with its name for the reason.
  func given(by error: AuthenticationError) -> Self {
    let code = (self == .ambiguousLoss ? .ambiguousLoss : error).code
    return Self(description, code: code, providerCode: error.providerCode) ?? self
  }

  /// A reason out of its stored form; nil if that is no reason.
  ///
  /// - Parameters:
  ///   - code: the error's; nil if the provider did not end the session.
  ///   - providerCode: the provider's name for it.
  package init?(_ description: String, code: String?, providerCode: String?) {
    guard description.isPlainToken else { return nil }
    var failure = code.flatMap { $0.isPlainToken ? AuthenticationError.ending(code: $0) : nil }
    failure?.providerCode = providerCode.flatMap { $0.isPlainToken ? $0 : nil }
    self.init(description, failure: failure)
  }

  /// The error of a call that needs a session.
  var error: AuthenticationError {
    if let failure { return failure }
    if self == .absent { return .notSignedIn }
    return AuthenticationError(
      .notSignedIn, "No user is signed in: the session ended (\(description)).",
      suggestion: AuthenticationError.notSignedIn.suggestion)
  }
}

extension AuthenticationError {
  fileprivate static func ending(code: String) -> Self {
    let known: [Self] = [.sessionRejected, .ambiguousLoss, .userDisabled]
    return known.first { $0.code == code }
      ?? Self(code: code, sessionRejected.message, disposition: .endsSession, suggestion: sessionRejected.suggestion)
  }
}

extension String {
  /// Whether it can be quoted anywhere: it holds no sentence and, since it is short, no token of a provider.
  package var isPlainToken: Bool {
    let plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.:-".utf8
    return (1...64).contains(utf8.count) && utf8.allSatisfy(plain.contains)
  }
}

/// The loss that a sign-out brings for ever: an open set. The caller names it, and so confirms that the user was asked.
///
/// ```swift
/// do throws(AuthenticationError) {
///   try await manager.signOut()
/// } catch where error == .confirmationRequired {
///   guard await askTheUser(about: error.loss) else { return }
///   try await manager.signOut(losing: error.loss)
/// }
/// ```
public struct SignOutLoss: Sendable, Hashable, CustomStringConvertible {
  /// The loss in logs: stable.
  public let description: String
  /// A custom loss.
  public init(_ description: String) { self.description = description }

  /// The account of a user without a name (``User/isAnonymous``): nothing leads back to it.
  public static let anonymousAccount = Self("anonymous_account")
}

extension SignOutLoss {
  /// The loss of a sign-out of this user; nil if the user can sign in again.
  package init?(of user: User?) {
    guard let user, user.isAnonymous else { return nil }
    self = .anonymousAccount
  }

  /// Throws ``AuthenticationError/confirmationRequired`` if a sign-out of this user would bring a loss that is not
  /// named.
  package static func check(_ user: User?, named: SignOutLoss?) throws(AuthenticationError) {
    if let loss = SignOutLoss(of: user), loss != named { throw .confirmationRequired(losing: loss) }
  }
}

extension AuthenticationError {
  /// Thrown if a sign-out would lose something for ever that the caller did not name; nothing changed.
  ///
  /// - Parameter loss: the loss to name, after the user was asked.
  public static func confirmationRequired(losing loss: SignOutLoss) -> Self {
    Self(
      .confirmationRequired, "Signing out would lose '\(loss)' for ever.",
      suggestion: "Ask the user, then name it: signOut(losing:). Or let the user link a way to sign in first."
    ).with(\.loss, loss)
  }
}
