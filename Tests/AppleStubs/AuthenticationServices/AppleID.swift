import Foundation

extension ASAuthorization {
  public struct Scope: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let fullName = Self(rawValue: "full_name")
    public static let email = Self(rawValue: "email")
  }
}

public class ASAuthorizationOpenIDRequest: ASAuthorizationRequest {
  public var requestedScopes: [ASAuthorization.Scope]?
  public var state: String?
  public var nonce: String?
}

public class ASAuthorizationAppleIDRequest: ASAuthorizationOpenIDRequest {
  public var user: String?
}

public class ASAuthorizationAppleIDProvider: NSObject {
  public enum CredentialState: Int, Sendable {
    case revoked = 0
    case authorized = 1
    case notFound = 2
    case transferred = 3
  }

  public class var credentialRevokedNotification: NSNotification.Name { .init("ASAuthorizationAppleIDProviderRevoked") }

  public func createRequest() -> ASAuthorizationAppleIDRequest { .init() }
  public func credentialState(forUserID userID: String) async throws -> CredentialState { .notFound }
}

public class ASAuthorizationAppleIDCredential: NSObject, ASAuthorizationCredential {
  public let user = ""
  public let state: String? = nil
  public let authorizedScopes: [ASAuthorization.Scope] = []
  public let authorizationCode: Data? = nil
  public let identityToken: Data? = nil
  public let email: String? = nil
  public let fullName: PersonNameComponents? = nil
}
