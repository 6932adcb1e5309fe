public import AuthenticationAccount
public import AuthenticationDiagnostics
public import AuthenticationKit
public import AuthenticationMultiAccount
public import AuthenticationOpenID
public import AuthenticationResources
public import Crypto
public import Foundation
#if canImport(FoundationNetworking)
public import FoundationNetworking
#else
public import AuthenticationServices
#endif

// Names of an app, with their types, which the examples of the documentation take for granted. Nothing of it runs.
func given<Value>() -> Value { fatalError("An example is compiled, not run.") }

@MainActor public let root: MainRoot = given()
@MainActor public var options: MainRoot.Options = given()
public let diagnostics: Diagnostics = given()
@MainActor public let manager: AuthManager = given()
@MainActor public let useCase: any AuthenticationUseCase = given()
@MainActor public let attempt: SignInAttempt = given()
public let account: any AccountUseCase = given()
public let accounts: AccountRegistry = given()
public let provider: any RemoteAuthProvider = given()
public let store: any SessionStore = given()
public func rows(of realm: String) -> any SessionStore { given() }

@MainActor public var contract: APIContract = given()
@MainActor public var client: OpenIDClient = given()
public let presenter: any AuthorizationPresenter = given()
public let apiOrigin: Origin = given()

#if canImport(AuthenticationServices)
/// A window, whose class belongs to the main actor.
@MainActor public final class Window: ASPresentationAnchor {}
@MainActor public let window: Window = given()
public let anchor: PresentationAnchor = given()
#endif

public let storage: any SecureStorage = given()
public let folder: URL = given()
public let key: SymmetricKey = given()
public let secret: Data = given()
public let file: URL = given()
/// The text of a file with a private key.
public let pem: Secret = given()
public let source: any TokenSource = given()

public let url: URL = given()
public let orders: ProtectedResource = given()
@MainActor public var request: URLRequest = given()
@MainActor public var body: [String: String] = given()

public func log(_ text: String) {}
public func count(_ anything: Any) {}

/// Where an app sends its counts.
public struct Analytics: Sendable {
  public func identify(_ id: String) {}
}
public let analytics: Analytics = given()

extension AuthenticationError {
  public static let inviteCodeLength = Self(
    code: "invite_code_length", "The invite code does not have 8 characters.", disposition: .attempt)
}
extension SignInMethod.Need {
  public static let inviteCode = Self(id: "invite_code")
}
