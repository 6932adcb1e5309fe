public import AuthenticationData
public import AuthenticationDomain

/// A project of Firebase Authentication, and how this app uses it.
///
/// ```swift
/// var project = FirebaseProject(apiKey: "AIza…")
/// project.bundleID = "org.example.app"
/// project.allowedOrigins = [Origin(URL(string: "https://api.example.org")!)!]
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
/// | `CREDENTIAL_TOO_OLD_LOGIN_AGAIN` | ``AuthenticationError/Code/recentSignInRequired`` |
public struct FirebaseProject: Sendable {
  /// The web API key of the project; it names the project, and is no secret.
  public var apiKey: String
  /// The tenant, for a project with multi-tenancy (Identity Platform).
  public var tenantID: String?
  /// The language of text messages and mails (BCP 47).
  public var language: String?
  /// The app's bundle id, if the API key is restricted to it.
  public var bundleID: String?
  /// An App Check token for each request; nil sends none.
  public var appCheckToken: (@Sendable () async throws(AuthenticationError) -> Secret)?
  /// Where the links in mails lead: an address whose host the project allows. Without one there is no sign-in by link,
  /// and the links of a password reset lead to Firebase's own page.
  public var continueURL: String?
  /// The emulator, such as `http://127.0.0.1:9099`, or a server of your own; nil for Google's servers.
  public var endpoint: String?
  /// Where the ID token may be sent: the app's own backend.
  public var allowedOrigins: Set<Origin> = []

  /// A project of this API key.
  public init(apiKey: String) { self.apiKey = apiKey }
}
