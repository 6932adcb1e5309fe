public import AuthenticationBrowser
import AuthenticationData
public import AuthenticationDomain
import Foundation

/// The pages of other providers (Google, GitHub, an OpenID provider) at which a project signs its users in.
///
/// ```swift
/// let pages = FirebasePages(
///   [.google, SignInMethod(id: "oidc.staff", displayName: "Staff")],
///   redirect: .address("https://app.example.org/signed-in"), presenter: presenter)
/// let root = try MainRoot(.firebase(FirebaseProject(apiKey: "AIza…", pages: pages)))
/// ```
///
/// Each of them is a method `.browser(vendor)` of the provider. A vendor's id is Firebase's (`github.com`,
/// `oidc.staff`), with or without `.com`. The user of a session is linked by
/// ``AuthenticationAccount/AccountChange/link(_:)`` with `.browser(vendor)`.
///
/// A public client can do less here than Firebase's own SDKs
/// (https://firebase.google.com/docs/reference/rest/auth); nothing of it was tried at Firebase:
///
/// | way | works where | register |
/// |---|---|---|
/// | ``init(_:redirect:presenter:scopes:)``: `createAuthUri` | the provider returns by GET, with the `state` that it was sent | the redirect, at the provider |
/// | ``init(_:handler:clientID:presenter:scopes:)``: Firebase's page | an app with a bundle id and a custom scheme, and the emulator | the app, at Firebase |
/// | an OpenID client of the app's own, whose ID token goes to `signInWithIdp` | everywhere | that client, at the provider |
///
/// The last is the advice: sign in by `AuthenticationOpenID`, and present the ID token as
/// ``AuthenticationDomain/NativeCredentials``. A SAML provider returns to Firebase's page alone, and is refused.
public struct FirebasePages: Sendable {
  fileprivate enum Way: Sendable {
    case redirect(RedirectURI)
    case handler(host: String, clientID: String)
  }

  private let vendors: [SignInMethod]
  fileprivate let way: Way
  fileprivate let presenter: any AuthorizationPresenter
  fileprivate let scopes: [String]

  /// By `accounts:createAuthUri`; a configuration that cannot work is refused when the app is composed.
  ///
  /// - Parameters:
  ///   - vendors: one for each button.
  ///   - redirect: where the provider's page returns to, exactly as it is registered at the provider, in addition to
  ///     Firebase's page: an address, or one of this machine with its port.
  ///   - presenter: shows the page.
  ///   - scopes: further ones to ask the provider for; by default none.
  public init(
    _ vendors: [SignInMethod], redirect: RedirectURI, presenter: any AuthorizationPresenter, scopes: [String] = []
  ) {
    (self.vendors, way, self.presenter, self.scopes) = (vendors, .redirect(redirect), presenter, scopes)
  }

  /// By Firebase's own page (`/__/auth/handler`), which knows registered apps only: the project names the bundle id,
  /// and the page returns to the client id in reverse, as a custom scheme. With an `endpoint` it is the emulator's page.
  ///
  /// - Parameters:
  ///   - vendors: one for each button; Firebase's SDK refuses Apple and Facebook here.
  ///   - handler: the host of the page, such as `my-project.firebaseapp.com`.
  ///   - clientID: the app's OAuth client id, such as `123-abc.apps.googleusercontent.com`.
  ///   - presenter: shows the page.
  ///   - scopes: further ones to ask the provider for; by default none.
  public init(
    _ vendors: [SignInMethod], handler: String, clientID: String, presenter: any AuthorizationPresenter,
    scopes: [String] = []
  ) {
    (self.vendors, way, self.presenter, self.scopes) =
      (vendors, .handler(host: handler, clientID: clientID), presenter, scopes)
  }

  var methods: [SignInMethod] { vendors.map { .browser($0) } }

  func validate(bundleID: String?) throws(AuthenticationError) {
    let providers = vendors.map { Self.providerID($0.id) }
    if providers.contains(where: { $0.hasPrefix("saml.") }) {
      throw .invalid("pages", "names a SAML provider, whose response goes to Firebase's own page alone")
    }
    let redirect: RedirectURI
    switch way {
    case .redirect(let own):
      guard own.fixed != nil else { throw .invalid("redirect", "has no port, and it must be registered as it is") }
      redirect = own
    case .handler(let host, let clientID):
      guard !providers.contains(where: { ["apple.com", "facebook.com"].contains($0) }) else {
        throw .invalid("pages", "names a provider that Firebase's page does not take; use its own sheet")
      }
      if bundleID == nil { throw .invalid("bundleID", "is missing; Firebase's page knows the app by it") }
      _ = try ServiceURL("https://\(host)", key: "handler")
      redirect = Self.link(of: clientID)
    }
    try redirect.validate()
    try presenter.validate(redirect)
  }

  /// Firebase's name of a provider.
  fileprivate static func providerID(_ vendor: String) -> String { vendor.contains(".") ? vendor : "\(vendor).com" }

  /// Where Firebase's page returns to.
  fileprivate static func link(of clientID: String) -> RedirectURI {
    .address("\(clientID.split(separator: ".").reversed().joined(separator: "."))://firebaseauth/link")
  }
}

/// Signs in on the pages of a project.
struct FirebasePageFlow: Sendable {
  private let pages: FirebasePages
  private let randomBytes: @Sendable (Int) -> [UInt8]
  /// Keeps a begun sign-in for a relaunch.
  let flow: PageFlow

  init(_ pages: FirebasePages, in environment: AuthProviderConfiguration.Environment) {
    self.pages = pages
    randomBytes = environment.randomBytes
    flow = PageFlow(in: environment) { $0.state ?? Self.inner(of: $0)["eventId"] }
  }

  /// The result of Firebase's page, in a link inside its redirect; empty if it is none.
  private static func inner(of response: AuthorizationResponse) -> [String: String] {
    response.parameters["deep_link_id"].flatMap(URL.init(string:))
      .flatMap { try? AuthorizationResponse($0) }?.parameters ?? [:]
  }

  /// Shows the page of a method.
  ///
  /// - Parameter isLinking: whether an account is to be linked.
  func show(
    _ signIn: BrowserSignIn, isLinking: Bool, by service: FirebaseService
  ) async throws(AuthenticationError) -> PageFlow.Returned {
    guard pages.methods.contains(signIn.method), let vendor = signIn.method.pageVendor else {
      throw .unsupportedMethod(signIn.method)
    }
    let provider = FirebasePages.providerID(vendor)
    let hints = try signIn.pageHints()
    let parameters = ["login_hint": hints.userName, "prompt": hints.prompt].compactMapValues(\.self)
    let page: URL?
    let redirect: RedirectURI
    let state: String?
    let session: Secret
    switch pages.way {
    case .redirect(let own):
      let begun = try await service.begin(provider, continuingAt: own.fixed, pages.scopes, parameters)
      page = URL(string: try begun.required("authUri"))
      state = try page.flatMap { page throws(AuthenticationError) in try AuthorizationResponse(page).state }
      (session, redirect) = (Secret(try begun.required("sessionId")), own)
    case .handler(let host, let clientID):
      session = Secret(Data(randomBytes(32)).base64URL)
      state = Data(randomBytes(32)).base64URL
      redirect = FirebasePages.link(of: clientID)
      var query = FormBody([
        "apiKey": service.project.apiKey, "authType": "signInWithRedirect", "ibi": service.project.bundleID,
        "clientId": clientID, "sessionId": PublicSHA256.hexadecimal(session.reveal().utf8), "eventId": state,
        "providerId": provider, "tid": service.project.tenantID, "hl": signIn.hints.locales.first,
        "scopes": pages.scopes.isEmpty ? nil : pages.scopes.joined(separator: ","),
      ])
      if !parameters.isEmpty, let json = try? JSONEncoder.stable.encode(parameters) {
        query.add("customParameters", String(decoding: json, as: UTF8.self))
      }
      let token = try await service.project.appCheckToken?().reveal()
      let fragment = token.map { "#fac=\(FormBody.encode($0))" } ?? ""
      page = URL(string: "\(try service.handler(at: host))?\(query.encoded)\(fragment)")
    }
    guard let page, Origin(page)?.isSecure == true, let state else { throw .unboundPage }
    let request = PageFlow.Request(
      state: state, startedAt: service.clock.now,
      ["provider": Secret(provider), "session": session, "links": isLinking ? Secret("true") : nil])
    return try await flow.show(request, by: pages.presenter, returningTo: redirect) { _ throws(AuthenticationError) in
      page
    }
  }

  /// The request that exchanges the page's redirect (`accounts:signInWithIdp`).
  ///
  /// - Throws: the provider's error.
  static func body(of returned: PageFlow.Returned, isLinking: Bool) throws(AuthenticationError) -> JSONBody {
    let (callback, response, request) = returned
    guard let provider = request["provider"], let session = request["session"] else { throw .unknownState }
    guard (request["links"] != nil) == isLinking else { throw .otherPurpose }
    var (result, requestURI) = (response.parameters, Optional(callback.absoluteString))
    if response.state == nil {
      result = inner(of: response)
      requestURI = result["link"]
      let fault = result["firebaseError"].flatMap { JSONMembers(json: Data($0.utf8)) }?["code"]
      result["error"] = result["error"] ?? fault?.split(separator: "/").last.map(String.init)
    }
    if let error = result["error"] {
      throw (errors[error] ?? .unknownPageError).with(\.providerCode, HTTPErrorMapper.plainToken(error))
    }
    guard let requestURI else {
      throw .refused(by: .redirect, "Firebase's page returned without the provider's response.")
    }
    return [
      "requestUri": Secret(requestURI), "sessionId": session,
      "postBody": FormBody(["providerId": provider.reveal()]).encoded, "returnSecureToken": true,
      "returnIdpCredential": true, "autoCreate": true,
    ]
  }

  /// Of the provider, and of Firebase's page.
  private static let errors: [String: AuthenticationError] = [:].adding([
    .declined: ["access_denied", "user-cancelled"], .cancelled: ["user_cancelled_authorize", "web-context-cancelled"],
    .clientRejected: [
      "invalid_request", "unauthorized_client", "invalid_scope", "unauthorized-domain", "operation-not-allowed",
      "invalid-oauth-client-id",
    ], .serverFailed: ["server_error", "temporarily_unavailable", "network-request-failed"],
    .userDisabled: ["user-disabled"],
  ])
}

extension FirebaseService {
  /// Where Firebase's page is, or the emulator's.
  fileprivate func handler(at host: String) throws(AuthenticationError) -> String {
    guard let endpoint = project.endpoint else { return "https://\(host)/__/auth/handler" }
    return "\(try ServiceURL(endpoint, key: "endpoint").origin)/emulator/auth/handler"
  }

  /// Begins a sign-in on a provider's page.
  fileprivate func begin(
    _ provider: String, continuingAt address: String?, _ scopes: [String], _ parameters: [String: String]
  ) async throws(AuthenticationError) -> JSONMembers {
    do throws(AuthenticationError) {
      return try await call(
        "v1/accounts:createAuthUri",
        [
          "providerId": provider, "continueUri": address,
          "oauthScope": scopes.isEmpty ? nil : scopes.joined(separator: " "),
          "customParameter": parameters.isEmpty ? nil : parameters,
        ]
      ).members
    } catch {
      throw error == .endpointMissing ? .noPages : error
    }
  }
}

extension AuthenticationError {
  fileprivate static let noPages = Self(
    .unsupportedMethod, "This server begins no sign-in on a provider's page, as Firebase's emulator.",
    suggestion: "With the emulator use FirebasePages(_:handler:clientID:presenter:).")
  fileprivate static let unboundPage = refused(
    by: .state, "The page that Firebase names is not https, or has no 'state', so that its response could be anyone's.")
  fileprivate static let otherPurpose = refused(
    by: .state, "The redirect ends a link of an account, and was taken for a sign-in, or the other way round.")
}
