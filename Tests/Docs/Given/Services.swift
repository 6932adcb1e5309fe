public import AuthenticationAccount
public import AuthenticationKit
public import AuthenticationNativeSignIn
public import AuthenticationPasskeys
public import AuthenticationTesting
public import AuthenticationTestingServers
public import Foundation

// Apple's SDK has it.
extension NotificationCenter {
  public func notifications(named name: Notification.Name) -> AsyncStream<Notification> { given() }
}

/// A service that a team writes an adapter for.
public struct NotesService: Sendable {
  public func login(_ name: String, _ password: String) async throws(AuthenticationError) -> AuthSession { given() }
  public func refresh(_ token: Secret?) async throws(AuthenticationError) -> SessionTokens { given() }
  public func logout(_ tokens: SessionTokens) async throws(AuthenticationError) {}
  public func delete(_ token: AccessToken) async throws(AuthenticationError) {}
}
public let notes: NotesService = given()

/// Its adapter.
public struct NotesProvider: RemoteAuthProvider {
  public init(_ baseURL: URL, over client: any HTTPClient, clock: any AuthenticationClock) {}
  public func signIn(_ request: SignInRequest) async throws(AuthenticationError) -> SignInOutcome { given() }
  public func refresh(_ session: AuthSession) async throws(AuthenticationError) -> SessionTokens { given() }
  public func revoke(_ tokens: SessionTokens, keepingOtherSessions: Bool) async throws(AuthenticationError) {}
}
extension AuthProviderConfiguration {
  public static func notes(baseURL: String) -> Self { given() }
}

/// A service's response.
public struct Wire: Sendable {
  public var user: String { given() }
  public var access: String { given() }
  public var refresh: String { given() }
  public var seconds: Int { given() }
}
public let wire: Wire = given()

/// A place where a team keeps secrets.
public struct Vault: Sendable {
  public func read() throws(AuthenticationError) -> Data? { given() }
  public func write(_ data: Data) throws(AuthenticationError) {}
  public func erase() throws(AuthenticationError) {}
}
public let vault: Vault = given()

/// A team's own storage.
public struct MyStorage: SecureStorage {
  public init() {}
  public func read(_ key: String) throws(AuthenticationError) -> Data? { given() }
  public func write(_ value: Data, for key: String) throws(AuthenticationError) {}
  public func delete(_ key: String) throws(AuthenticationError) {}
}

/// A custom browser.
public struct Kiosk: Sendable {
  public func page(at url: URL) async throws(AuthenticationError) -> URL { given() }
  public func code() async throws(AuthenticationError) -> Secret { given() }
}
public let kiosk: Kiosk = given()

/// A backend's list of the sessions of a user.
public struct SessionList {
  public init(_ response: HTTPResponse) throws(AuthenticationError) {}
  public var sessions: [RemoteSession] { given() }
}

/// Where an app kept secrets so far.
public struct OldKeychain: Sendable {
  public func data(_ key: String) -> Data? { given() }
}
public let keychain: OldKeychain = given()

/// Custom credentials.
public struct GitHubCredentials: Credentials {
  public init(code: Secret) {}
  public var method: SignInMethod { given() }
  public func validate() throws(AuthenticationError) {}
}

public func signInWithGoogle(
  nonce: String?, over anchor: PresentationAnchor?
) async throws(AuthenticationError) -> NativeCredentials { given() }

public let nativeSignIn: NativeSignIn = given()
public let authenticator: SoftwareAuthenticator = given()
public let clock: ManualClock = given()
public let now: Date = given()
public let script: ProviderScript = given()
public let passkey: EnrolledFactor = given()
public let passkeys: DevicePasskeys = given()
public let creation: PasskeyCreationOptions = given()
public let response: HTTPResponse = given()
