import Foundation

@MainActor
public protocol ASAuthorizationControllerDelegate: NSObjectProtocol {
  func authorizationController(
    controller: ASAuthorizationController, didCompleteWithAuthorization authorization: ASAuthorization)
  func authorizationController(controller: ASAuthorizationController, didCompleteWithError error: any Error)
}

@MainActor
public protocol ASAuthorizationControllerPresentationContextProviding: NSObjectProtocol {
  func presentationAnchor(for controller: ASAuthorizationController) -> ASPresentationAnchor
}

@MainActor
public class ASAuthorizationController: NSObject {
  public init(authorizationRequests: [ASAuthorizationRequest]) {}

  public weak var delegate: (any ASAuthorizationControllerDelegate)?
  public weak var presentationContextProvider: (any ASAuthorizationControllerPresentationContextProviding)?
  public func performRequests() {}
  public func performAutoFillAssistedRequests() {}
  public func cancel() {}
}

public protocol ASAuthorizationCredential: NSObjectProtocol {}

public class ASAuthorization: NSObject {
  public let credential: any ASAuthorizationCredential
  init(credential: any ASAuthorizationCredential) { self.credential = credential }
}

public struct ASAuthorizationError: Error {
  public enum Code: Int, Sendable {
    case unknown = 1000
    case canceled = 1001
    case invalidResponse = 1002
    case notHandled = 1003
    case failed = 1004
    case notInteractive = 1005
    case matchedExcludedCredential = 1006
  }

  public let code: Code
  public var errorCode: Int { code.rawValue }
}

public class ASAuthorizationRequest: NSObject {}

public struct ASAuthorizationPublicKeyCredentialUserVerificationPreference: RawRepresentable, Hashable, Sendable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let preferred = Self(rawValue: "preferred")
  public static let required = Self(rawValue: "required")
  public static let discouraged = Self(rawValue: "discouraged")
}

public enum ASAuthorizationPublicKeyCredentialAttachment: Int, Sendable {
  case platform = 0
  case crossPlatform = 1
}

public class ASAuthorizationPlatformPublicKeyCredentialDescriptor: NSObject {
  public let credentialID: Data
  public init(credentialID: Data) { self.credentialID = credentialID }
}

public class ASAuthorizationPlatformPublicKeyCredentialRegistrationRequest: ASAuthorizationRequest {
  public var displayName: String?
  public var userVerificationPreference = ASAuthorizationPublicKeyCredentialUserVerificationPreference.preferred
  public var excludedCredentials: [ASAuthorizationPlatformPublicKeyCredentialDescriptor]?
}

public class ASAuthorizationPlatformPublicKeyCredentialAssertionRequest: ASAuthorizationRequest {
  public var userVerificationPreference = ASAuthorizationPublicKeyCredentialUserVerificationPreference.preferred
  public var allowedCredentials: [ASAuthorizationPlatformPublicKeyCredentialDescriptor] = []
}

public class ASAuthorizationPlatformPublicKeyCredentialProvider: NSObject {
  public init(relyingPartyIdentifier: String) {}

  public func createCredentialRegistrationRequest(
    challenge: Data, name: String, userID: Data
  ) -> ASAuthorizationPlatformPublicKeyCredentialRegistrationRequest { .init() }

  public func createCredentialAssertionRequest(
    challenge: Data
  ) -> ASAuthorizationPlatformPublicKeyCredentialAssertionRequest { .init() }
}

public class ASAuthorizationPlatformPublicKeyCredentialRegistration: NSObject, ASAuthorizationCredential {
  public let credentialID = Data()
  public let rawClientDataJSON = Data()
  public let rawAttestationObject: Data? = nil
  public let attachment = ASAuthorizationPublicKeyCredentialAttachment.platform
}

public class ASAuthorizationPlatformPublicKeyCredentialAssertion: NSObject, ASAuthorizationCredential {
  public let credentialID = Data()
  public let rawClientDataJSON = Data()
  // As Apple's headers leave them: without saying whether they may be nil.
  public let rawAuthenticatorData: Data! = nil
  public let signature: Data! = nil
  public let userID: Data! = nil
  public let attachment = ASAuthorizationPublicKeyCredentialAttachment.platform
}
