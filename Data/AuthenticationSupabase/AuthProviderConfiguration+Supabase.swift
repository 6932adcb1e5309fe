public import AuthenticationData
import AuthenticationDomain

extension AuthProviderConfiguration {
  /// Supabase Auth (GoTrue), by plain HTTPS and without the vendor's library.
  ///
  /// | their term | ours |
  /// |---|---|
  /// | access token, refresh token, session | ``AuthSession``; each refresh replaces both tokens |
  /// | `signInWithPassword`, `signUp` | ``PasswordCredentials`` with an e-mail address or a phone number |
  /// | confirm e-mail or phone | a challenge: ``Challenge/Kind/confirmation``, or a link |
  /// | `signInWithOtp` | ``EmailCredentials``, ``PhoneCredentials``, and a challenge for what came |
  /// | magic link, PKCE flow | ``Challenge/Kind/link``: the link works where it was asked for |
  /// | `signInAnonymously`, `linkIdentity`, `updateUser` | ``AnonymousCredentials``, then ``AccountServices/link(_:)`` |
  /// | `signInWithIdToken` | ``NativeCredentials`` |
  /// | MFA factor, `aal2` | a challenge after the sign-in: a choice, a one-time password, or a text message |
  /// | `reauthenticate` | a challenge of ``AccountServices/changePassword(from:to:)`` |
  /// | `signOut(scope: .local)` | signing out; other devices stay signed in |
  /// | `signOut(scope: .others)` | ending the one entry of ``AccountServices/sessions()`` that is not the current one |
  /// | captcha token | ``SignInAttributes``, under `captcha_token` |
  /// | banned user | ``AuthenticationError/Code/userDisabled`` |
  /// | judged by | our own dialect server only |
  ///
  /// What a project has turned off throws ``AuthenticationError/Code/unsupportedMethod``. No client can delete an
  /// account, so that ability is missing. A configuration that cannot work is refused when the app is composed.
  ///
  /// - Parameters:
  ///   - project: the project, and how the app uses it.
  ///   - realm: by default the project's origin.
  public static func supabase(_ project: SupabaseProject, realm: String? = nil) -> Self {
    Self(name: "supabase", realm: realm ?? "supabase \(project.url)") { environment throws(AuthenticationError) in
      let service = try project.validated()
      let provider = SupabaseAuthProvider(project: project, service: service, environment: environment)
      return Product(provider: provider, allowedOrigins: [service.origin])
    }
  }
}
