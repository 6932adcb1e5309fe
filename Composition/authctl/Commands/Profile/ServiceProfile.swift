import ArgumentParser
import AuthenticationKit
import AuthenticationWorkload
import Foundation

/// A profile of a program without a user, composed: `--provider service`.
struct ServiceProfile {
  let profile: Profile
  let folder: ProfileFolder
  private let secret: Secret
  private let callerTimeout: Duration
  private let transport: any HTTPClient

  /// - Parameter secret: the client's secret or private key, where `login` was just told one; by default the one that was
  ///   kept.
  /// - Throws: ``AuthenticationError/notSignedIn`` after `logout`.
  init(
    _ profile: Profile, in folder: ProfileFolder, secret: Secret? = nil,
    callerTimeout: Duration = OpenProfile.callerTimeout
  ) throws {
    guard let secret = try secret ?? folder.clientSecret(of: profile) else { throw AuthenticationError.notSignedIn }
    self.profile = profile
    self.folder = folder
    self.secret = secret
    self.callerTimeout = callerTimeout
    transport = try folder.options.transport(trusting: profile.caFile, folder.console)
  }

  /// The tokens for one resource; nil for those that name none.
  func tokens(for resource: ProfileResource? = nil) throws -> ServiceTokens {
    let settings = profile.settings
    var client = OpenIDClient(issuer: settings[.issuer], clientID: settings[.clientID])
    client.scopes = settings[.scope].split(separator: " ").map(String.init)
    client.audience = settings.has(.audience) ? settings[.audience] : nil
    client.resources = [resource?.resource].compactMap(\.self)
    if settings.has(.privateKey) {
      let isJSON = secret.reveal().first { !$0.isWhitespace } == "{"
      let key = try isJSON ? SigningKey(jwk: secret) : SigningKey(pem: secret)
      client.authentication = .privateKeyJWT(key, keyID: settings.has(.keyID) ? settings[.keyID] : nil)
    } else {
      client.authentication = .secret(secret)
    }
    let place = try folder.storage(profile.storage).realm(profile.realm)
    let policy = try RefreshPolicy(earlyWindow: nil, callerTimeout: callerTimeout)
    return try ServiceTokens(client) {
      $0.storage = place.secrets
      $0.lock = place.lock
      $0.transport = transport
      $0.refreshPolicy = policy
    }
  }

  /// The resource of this name.
  func resource(named name: String?) throws -> ProfileResource? {
    guard let name else { return nil }
    if let resource = profile.resources?.first(where: { $0.resource == name }) { return resource }
    throw ValidationError("No --resource '\(name)' was named at 'authctl login'.")
  }

  /// The resource whose token may be sent to this origin; nil if that is the service's own, or none.
  func resource(at origin: Origin?) -> ProfileResource? {
    profile.resources?.first { URL(string: $0.origin).flatMap(Origin.init) == origin && origin != nil }
  }

  /// Where the token may be sent.
  func origins(of resource: ProfileResource?) throws(AuthenticationError) -> Set<Origin> {
    if let resource { return try profile.declaredResources()[resource.declaration] ?? [] }
    let own = URL(string: profile.settings[.issuer]).flatMap(Origin.init)
    return try profile.origins().union([own].compactMap(\.self))
  }

  /// Sends the caller's request as it is: a 403 is a response here, not an error.
  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    let tokens = try tokens(for: resource(at: Origin(request.url)))
    let client = try client(for: request.url, tokens)
    return try await Interruption.draining(tokens, folder.console) { try await client.send(request) }
  }

  private func client(for url: URL, _ tokens: ServiceTokens) throws -> some HTTPClient {
    let resource = resource(at: Origin(url))
    let sender = try folder.options.transport(
      trusting: profile.caFile, folder.console, maximumBodySize: 64 << 20
    ).followRedirects()
    return sender.authorized(by: tokens, for: try origins(of: resource), throwsRefusals: false)
  }

  /// Forgets every token, and ends them at the issuer unless that is not wanted; then the secret is forgotten, too.
  func end(isLocal: Bool = false) async throws {
    var failure: AuthenticationError?
    for resource in [nil] + (profile.resources ?? []).map(Optional.some) {
      let tokens = try tokens(for: resource)
      do throws(AuthenticationError) {
        if isLocal { try await tokens.forget() } else { try await tokens.revoke() }
      } catch {
        // Nothing is left here that could be ended later.
        guard ExitStatus(error) != .storage else { throw error }
        failure = failure ?? error
      }
    }
    try folder.forgetClientSecret(of: profile)
    if let failure { throw failure }
  }
}

extension Login {
  var isService: Bool { other.provider?.name == ProviderKind.service.name }

  func validateService() throws {
    guard openID.issuer != nil else { throw ValidationError("--provider service needs an --issuer.") }
    guard (other.client.clientSecretFile == nil) != (other.privateKey == nil) else {
      throw ValidationError("--provider service needs a --client-secret-file or a --private-key.")
    }
    if other.keyID != nil, other.privateKey == nil { throw ValidationError("--key-id names a --private-key.") }
    let unused =
      [
        ("endpoint", other.endpoint != nil), ("method", method != nil), ("username", username != nil),
        ("password-stdin", passwordStdin), ("continue", continues),
      ].filter(\.1).map(\.0) + openID.named
    if let option = unused.first {
      throw ValidationError("--provider service signs no user in: it takes no --\(option.drop { $0 == "-" }).")
    }
  }

  /// Gets the first token, and keeps it with the credentials it was got with.
  func performService(on console: Console) async throws {
    let folder = ProfileFolder(options, console)
    let old = try folder.loadSettingAside()
    try old?.checkNothingIsLost(in: folder)
    var settings = other.settings
    settings[ProviderOption.issuer.name] = openID.issuer
    settings[ProviderOption.scope.name] = openID.scope
    let profile = Profile(
      provider: ProviderKind.service.name, settings: settings, allowedOrigins: allowOrigin,
      resources: resource.isEmpty ? nil : resource, caFile: other.caFile, storage: folder.storageKind(replacing: old))
    try folder.checkSaving(profile.storage)
    let file = other.privateKey.map { ClientSecretFile(path: $0, option: "--private-key", isWhole: true) }
    guard let secret = try file?.read(console) ?? other.client.secret(console) else { return }
    let limit = timeout.map { Duration.seconds($0) } ?? OpenProfile.callerTimeout
    let service = try ServiceProfile(profile, in: folder, secret: secret, callerTimeout: limit)
    // A new one, even if an earlier login has left one.
    let token: AccessToken
    do { token = try await service.tokens().validToken(lasting: AccessToken.longestLifetime) } catch {
      throw (error as? AuthenticationError)?.naming(AuthenticationError.issuerOptions) ?? error
    }
    try folder.save(secret, for: profile)
    if old != profile { try folder.save(profile) }
    if let old, !old.sharesSession(with: profile) {
      OpenProfile.report(onReplaced: await OpenProfile.leave(old, in: folder), console)
    }
    if console.isJSON {
      console.out(json: [
        "event": "signed_in", "expires_at": token.expiresAt, "scopes": token.scopes, "storage": profile.storage,
      ])
    } else {
      console.say("The service has a token; it is kept in: \(profile.storage.rawValue).")
      if !token.scopes.isEmpty { console.say("Scopes: \(token.scopes.joined(separator: " "))") }
      if let end = token.expiresAt { console.say("The access token lasts until \(end.formatted(.iso8601)).") }
    }
  }
}
