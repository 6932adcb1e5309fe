public import AuthenticationData
public import AuthenticationDomain

/// A project of Firebase Authentication, and how this app uses it.
///
/// ```swift
/// let project = FirebaseProject(
///   apiKey: "AIza…", bundleID: "org.example.app", allowedOrigins: [Origin(URL(string: "https://api.example.org")!)!])
/// let root = try MainRoot(.firebase(project))
/// ```
///
/// | Firebase's term | ours |
/// |---|---|
/// | ID token | access token (an hour) |
/// | `localId`, `uid` | ``User/id`` |
/// | `sessionInfo`, `mfaPendingCredential` | ``Challenge/handle`` |
/// | `oobCode` | the code in a link |
/// | multi-factor enrolment | ``EnrolledFactor`` |
/// | provider (`google.com`) | ``LinkedMethod`` |
/// | `CREDENTIAL_TOO_OLD_LOGIN_AGAIN` | ``AuthenticationError/recentSignInRequired`` |
public struct FirebaseProject: Sendable {
  var apiKey: String
  package var tenantID: String?
  var language: String?
  var bundleID: String?
  package var continueURL: String?
  package var endpoint: String?
  var allowedOrigins: Set<Origin>
  var appCheckToken: (@Sendable () async throws(AuthenticationError) -> Secret)?
  var pages: FirebasePages?

  /// A project; a configuration that cannot work is refused when the app is composed.
  ///
  /// - Parameters:
  ///   - apiKey: the web API key of the project; it names the project, and is no secret.
  ///   - tenantID: the tenant, for a project with multi-tenancy (Identity Platform).
  ///   - language: of text messages and mails (BCP 47).
  ///   - bundleID: the app's bundle id, if the API key is restricted to it.
  ///   - continueURL: where the links in mails lead: an address whose host the project allows. Without one there is no
  ///     sign-in by link, and the links of a password reset lead to Firebase's own page.
  ///   - endpoint: the emulator, such as `http://127.0.0.1:9099`, or another server; nil for Google's servers.
  ///   - allowedOrigins: where the ID token may be sent: the app's own backend.
  ///   - appCheckToken: returns an App Check token for each request; nil sends none.
  ///   - pages: the pages of other providers, each a method `.browser(vendor)`; nil if there are none.
  public init(
    apiKey: String, tenantID: String? = nil, language: String? = nil, bundleID: String? = nil,
    continueURL: String? = nil, endpoint: String? = nil, allowedOrigins: Set<Origin> = [],
    appCheckToken: (@Sendable () async throws(AuthenticationError) -> Secret)? = nil, pages: FirebasePages? = nil
  ) {
    self.apiKey = apiKey
    self.tenantID = tenantID
    self.language = language
    self.bundleID = bundleID
    self.continueURL = continueURL
    self.endpoint = endpoint
    self.allowedOrigins = allowedOrigins
    self.appCheckToken = appCheckToken
    self.pages = pages
  }
}

extension AuthProviderConfiguration {
  /// Firebase Authentication by its REST interface, without its SDK
  /// (https://firebase.google.com/docs/reference/rest/auth).
  ///
  /// | their term | ours |
  /// |---|---|
  /// | project, tenant | ``FirebaseProject`` |
  /// | ID token | the access token, which is the identity token as well |
  /// | `signInWithPassword`, `signUp` | ``AuthenticationDomain/PasswordCredentials`` |
  /// | anonymous user, upgrade | `.anonymous`, then ``AuthenticationAccount/AccountChange/link(_:)`` |
  /// | phone verification, e-mail link | ``AuthenticationDomain/PhoneCredentials``, ``AuthenticationDomain/EmailCredentials``, and a challenge |
  /// | `signInWithIdp` | ``AuthenticationDomain/NativeCredentials`` |
  /// | OAuth redirect, `createAuthUri` | `.browser(_:)`: ``FirebasePages`` |
  /// | custom token | ``CustomTokenCredentials`` |
  /// | `mfaPendingCredential` | a challenge: the one factor, or a choice among several |
  /// | reCAPTCHA, APNs receipt | ``AuthenticationDomain/SignInRequest/attributes``, under the names of the wire |
  /// | `SESSION_EXPIRED`, `EXPIRED_OOB_CODE` | ``AuthenticationDomain/AuthenticationError/signInExpired``: of a code, never of a session |
  /// | verified by | our own dialect server only |
  ///
  /// A configuration that cannot work is refused when the app is composed:
  /// ``AuthenticationError/invalidConfiguration``.
  ///
  /// - Parameters:
  ///   - project: the project, and how the app uses it.
  ///   - realm: by default the API key and the tenant. Give one to keep sessions when the key changes.
  public static func firebase(_ project: FirebaseProject, realm: String? = nil) -> Self {
    let own = ["firebase", project.apiKey, project.tenantID].compactMap(\.self).joined(separator: " ")
    return Self(name: "firebase", realm: realm ?? own) { environment throws(AuthenticationError) in
      let provider = FirebaseAuthProvider(
        service: try FirebaseService(project, client: environment.httpClient, clock: environment.clock),
        pages: project.pages.map { FirebasePageFlow($0, in: environment) })
      let pages = project.pages?.methods.map(SignInProcess.page) ?? []
      return Product(
        provider: provider, allowedOrigins: project.allowedOrigins,
        processes: SignInProcess.forms(for: provider.methods) + [.customToken] + pages)
    }
  }
}

extension SignInMethod {
  /// A token of the app's own backend; see ``CustomTokenCredentials``.
  public static let customToken = Self(id: "custom-token", displayName: "Custom token", needs: [.token])
}

extension SignInMethod.Need {
  /// A token that the app obtained elsewhere.
  public static let token = Self(id: "token")
}

extension SignInProcess {
  /// A token of the app's own backend.
  static let customToken = Self(.customToken) { context throws(AuthenticationError) in
    CustomTokenCredentials(token: context.input[.token])
  }
}
