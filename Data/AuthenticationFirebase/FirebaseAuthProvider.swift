import AuthenticationData
import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Signs in at Firebase Authentication.
struct FirebaseAuthProvider: RemoteAuthProvider {
  let service: FirebaseService
  let secrets = StepSecrets()

  var methods: [SignInMethod] {
    let link: [SignInMethod] = service.project.continueURL == nil ? [] : [.emailLink]
    return [.password, .phoneCode] + link + [.anonymous, .apple, .google, .facebook, .customToken]
  }

  func signIn(with credentials: any Credentials) async throws(AuthenticationError) -> SignInOutcome {
    if let answer = credentials as? ChallengeAnswer { return try await continueSignIn(answer, linkingTo: nil) }
    return try await open(credentials, linkingTo: nil)
  }

  func refresh(_ session: AuthSession) async throws(AuthenticationError) -> SessionTokens {
    guard let token = session.tokens.refresh else { throw .sessionExpired }
    let (body, response) = try await service.refresh(token)
    return try FirebaseSessionResponseMapper.refreshed(body, response, receivedAt: service.clock.now)
  }

  /// Does nothing: Firebase has no call by which an app ends a session. The ID token expires within the hour.
  func revoke(_ tokens: SessionTokens) async throws(AuthenticationError) {}
}

extension FirebaseAuthProvider: ResumingAuthProvider {
  func forgetBegunSignIns() { secrets.forgetAll() }
}

extension FirebaseAuthProvider: SignUpProvider {
  func signUp(with credentials: any Credentials) async throws(AuthenticationError) -> SignInOutcome {
    guard let credentials = credentials as? PasswordCredentials else {
      throw .unsupportedMethod(credentials.method)
    }
    return try await begin("v1/accounts:signUp", Self.body(of: credentials), linkingTo: nil)
  }
}

extension FirebaseAuthProvider {
  /// Signs in, or links to the account of an ID token (`idToken`).
  func open(
    _ credentials: any Credentials, linkingTo token: Secret?
  ) async throws(AuthenticationError) -> SignInOutcome {
    switch credentials {
    case let password as PasswordCredentials:
      // Linking a password to an account is setting one; of an anonymous one it is the sign-up.
      let operation = token == nil ? "signInWithPassword" : "signUp"
      return try await begin("v1/accounts:\(operation)", Self.body(of: password), linkingTo: token)
    case let phone as PhoneCredentials: return .challenge(try await sendCode(to: phone.phoneNumber))
    case let email as EmailCredentials where email.method == .emailLink:
      guard let link = email.link else { return .challenge(try await sendLink(to: email.address)) }
      guard let url = link.url else { throw .invalidLink }
      return try await open(url, for: email.address, linkingTo: token)
    case is AnonymousCredentials where token == nil:
      return try await begin("v1/accounts:signUp", ["returnSecureToken": true], linkingTo: nil)
    case let native as NativeCredentials: return try await handOver(native, linkingTo: token)
    case let custom as CustomTokenCredentials where token == nil:
      return try await begin(
        "v1/accounts:signInWithCustomToken",
        ["token": .string(custom.token.reveal()), "returnSecureToken": true], linkingTo: nil)
    default: throw .unsupportedMethod(credentials.method)
    }
  }

  /// Calls an operation that signs in, perhaps after a second factor.
  func begin(
    _ operation: String, _ body: [String: JSONValue?], linkingTo token: Secret?
  ) async throws(AuthenticationError) -> SignInOutcome {
    var body = body
    body["idToken"] = token.map { .string($0.reveal()) }
    let (answer, response) = try await service.call(
      operation, body, errors: token == nil ? FirebaseErrors.signIn : FirebaseErrors.account)
    if let pending = answer.secret("mfaPendingCredential") {
      return .challenge(try await secondFactor(pending, FirebaseUserResponseMapper.choices(answer.list("mfaInfo"))))
    }
    // The number or the vendor's account belongs to somebody else already.
    if answer["temporaryProof"] != nil || answer.flag("needConfirmation") == true {
      throw token == nil ? .accountExists : .alreadyLinked
    }
    return .session(
      try FirebaseSessionResponseMapper.session(answer, response, receivedAt: service.clock.now))
  }

  static func body(of credentials: PasswordCredentials) -> [String: JSONValue?] {
    [
      "email": .string(credentials.userName), "password": .string(credentials.password.reveal()),
      "returnSecureToken": true, "captchaResponse": attribute("captchaResponse"),
      "clientType": attribute("clientType"), "recaptchaVersion": attribute("recaptchaVersion"),
    ]
  }

  /// What the app supplied for this attempt, by Firebase's own names.
  static func attribute(_ name: String) -> JSONValue? {
    SignInAttributes.current[name].map { .string($0.reveal()) }
  }
}

extension Secret {
  var url: URL? { URL(string: reveal()) }
}
