public import AuthenticationData
import AuthenticationDomain

extension AuthProviderConfiguration {
  /// Firebase Authentication by its REST interface, without its SDK
  /// (https://firebase.google.com/docs/reference/rest/auth).
  ///
  /// | their term | ours |
  /// |---|---|
  /// | project, tenant | ``FirebaseProject`` |
  /// | ID token | the access token, which is the identity token as well |
  /// | `signInWithPassword`, `signUp` | ``AuthenticationDomain/PasswordCredentials`` |
  /// | anonymous user, upgrade | ``AuthenticationDomain/AnonymousCredentials``, then ``AuthenticationDomain/AccountServices/link(_:)`` |
  /// | phone verification, e-mail link | ``AuthenticationDomain/PhoneCredentials``, ``AuthenticationDomain/EmailCredentials``, and a challenge |
  /// | `signInWithIdp` | ``AuthenticationDomain/NativeCredentials`` |
  /// | custom token | ``CustomTokenCredentials`` |
  /// | `mfaPendingCredential` | a challenge: the one factor, or a choice among several |
  /// | reCAPTCHA, APNs receipt | ``AuthenticationDomain/SignInAttributes``, under the names of the wire |
  /// | `SESSION_EXPIRED`, `EXPIRED_OOB_CODE` | ``AuthenticationDomain/AuthenticationError/Code/signInExpired``: of a code, never of a session |
  /// | judged by | our own dialect server only |
  ///
  /// A configuration that cannot work is refused when the app is composed:
  /// ``AuthenticationError/Code/invalidConfiguration``.
  ///
  /// - Parameters:
  ///   - project: the project, and how the app uses it.
  ///   - realm: by default the API key and the tenant. Give one to keep sessions when the key changes.
  public static func firebase(_ project: FirebaseProject, realm: String? = nil) -> Self {
    let own = ["firebase", project.apiKey, project.tenantID].compactMap(\.self).joined(separator: " ")
    return Self(name: "firebase", realm: realm ?? own) { environment throws(AuthenticationError) in
      let provider = FirebaseAuthProvider(
        service: try FirebaseService(project, client: environment.httpClient, clock: environment.clock))
      return Product(
        provider: provider, allowedOrigins: project.allowedOrigins,
        processes: SignInProcess.forms(for: provider.methods) + [.customToken])
    }
  }

  /// The same for a project of which only the key is known.
  public static func firebase(apiKey: String) -> Self { firebase(FirebaseProject(apiKey: apiKey)) }
}
