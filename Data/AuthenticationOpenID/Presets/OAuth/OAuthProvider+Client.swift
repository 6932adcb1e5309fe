import AuthenticationData
import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension OAuthProvider {
  /// - Throws: ``AuthenticationError/Code/invalidConfiguration``, which names what is wrong without its value.
  func client(_ environment: AuthProviderConfiguration.Environment) throws(AuthenticationError) -> OpenIDClient {
    let authorization = try address(authorizationEndpoint, "authorizationEndpoint")
    let device = try address(deviceAuthorizationEndpoint, "deviceAuthorizationEndpoint")
    let token = try address(tokenEndpoint, "tokenEndpoint", isVendors: !exchangesAtBackend)
    guard let token, let first = authorization ?? device else {
      throw .invalid("authorizationEndpoint", "is missing, and so is another way to sign in")
    }
    guard let user = try address(userEndpoint, "userEndpoint") else { throw .invalid("userEndpoint", "is empty") }
    var client = OpenIDClient(issuer: first.origin.description, clientID: clientID)
    client.scopes = scopes
    client.authentication = authentication
    client.redirect = redirect
    client.presenter = presenter
    client.allowedOrigins = allowedOrigins.union([user.origin])
    client.endpoints[.token] = token.url.absoluteString
    client.endpoints[.authorization] = authorization?.url.absoluteString
    client.endpoints[.deviceAuthorization] = device?.url.absoluteString
    client.endpoints[.revocation] = try address(revocationEndpoint, "revocationEndpoint")?.url.absoluteString
    client.dialect.publishesMetadata = false
    let methods: [(ServiceURL?, SignInMethod)] = [(authorization, .browser), (device, .device)]
    client.dialect.methods = methods.compactMap { $0.0 == nil ? nil : $0.1 }
    client.dialect.scopeSeparator = scopeSeparator
    client.dialect.refusals = VendorRefusals(refusals.map { ($0.key, nil, $0.value) })
    client.dialect.refreshRefusals = VendorRefusals(
      sessionEndingCodes.map { ($0, nil, .sessionRejected) }
        + refusals.filter { $0.value.code == .clientRejected }.map { ($0.key, nil, $0.value) })
    let lookUp = OAuthUserLookUp(
      user: user.url, emails: try address(emailsEndpoint, "emailsEndpoint")?.url, map: self.user,
      environment: environment)
    client.dialect.user = { tokens throws(AuthenticationError) in try await lookUp.user(of: tokens) }
    return client
  }

  private func address(
    _ text: String?, _ key: String, isVendors: Bool = true
  ) throws(AuthenticationError) -> ServiceURL? {
    guard let text else { return nil }
    let url = try ServiceURL(text, key: key, allowsPath: true)
    guard isVendors, let endpoint else { return url }
    let base = try ServiceURL(endpoint, key: "endpoint").origin
    return try ServiceURL("\(base)\(url.url.path())", key: key, allowsPath: true)
  }
}

extension AuthProviderConfiguration.Environment {
  /// For a service that sends OAuth errors with a status of success.
  var correctingStatuses: Self {
    Self(
      httpClient: StatusCorrectingHTTPClient(upstream: httpClient), clock: clock, storage: storage,
      transport: transport, randomBytes: randomBytes)
  }
}

/// Gives an OAuth error that came with a status of success the status 400, with which RFC 6749 §5.2 has it read.
private struct StatusCorrectingHTTPClient: HTTPClient {
  let upstream: any HTTPClient

  func send(_ request: HTTPRequest) async throws(AuthenticationError) -> HTTPResponse {
    let response = try await upstream.send(request)
    guard request.method == .post, response.isSuccess, let body = try? JSONMembers(response), body["error"] != nil,
      body["access_token"] == nil
    else { return response }
    var corrected = HTTPResponse(status: 400, headers: response.headers, body: response.body)
    corrected.isFromOtherOrigin = response.isFromOtherOrigin
    return corrected
  }
}
