import ArgumentParser
import AuthenticationKit
import AuthenticationWorkload
import Foundation

struct Status: Command {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Tell who is signed in. Makes no network call.")

  @Flag(help: "Print one JSON object.")
  var json = false

  @Flag(help: "Also print what else the provider said about the user.")
  var claims = false

  @OptionGroup var options: ProfileOptions

  func perform(on console: Console) async throws {
    var output = await ProfileFolder(options, console).status()
    output.showsClaims = claims
    if claims, let user = output.user { console.report(omittedClaimsOf: user) }
    try show(output, console)
  }

  private func show(_ output: StatusOutput, _ console: Console) throws {
    if json { console.out(json: output.json) } else { output.lines.forEach { console.out($0) } }
    let sentence: String
    switch output.state {
    case "signed_out": sentence = output.ending.map { "\($0) Log in again." } ?? "Nobody is signed in. Log in first."
    case "challenged": sentence = "The login waits for a step. Go on with 'authctl login --continue'."
    case "expired": sentence = "The session has expired and cannot be refreshed. Log in again."
    case "unavailable":
      sentence =
        "The stored session cannot be read now (\(output.reason ?? "")). "
        + "Nothing was erased; check the storage, or log in again."
    default: return
    }
    console.say("authctl: \(sentence)")
    throw (output.state == "unavailable" ? ExitStatus.storage : .signedOut).exitCode
  }
}

struct Profiles: Command {
  static let configuration = CommandConfiguration(
    commandName: "profiles", abstract: "List the profiles, and who is signed in with each. Makes no network call.")

  @Flag(help: "Print an object a line, as JSON.")
  var json = false

  @OptionGroup var options: ProfileOptions

  func perform(on console: Console) async throws {
    for name in ProfileFolder.names {
      let output = await ProfileFolder(try ProfileOptions.parse(["--profile", name]), console).status()
      let user = output.user.map { ": \($0.name ?? $0.id)" } ?? ""
      console.out(
        "\(name): \(output.state) at \(output.provider)\(user)",
        json: [
          "name": name, "provider": output.provider, "user": output.user?.json, "state": output.state,
          "default": name == ProfileFolder.defaultName,
        ])
    }
  }
}

extension ProfileFolder {
  /// The state of its store; nothing is sent.
  fileprivate func status() async -> StatusOutput {
    if let profile = try? load(), profile.isService { return await status(of: profile) }
    var output = stored()
    if output.state == "signed_out", let begun = begunLogin(),
      let place = try? storage(begun.storage).realm(begun.realm),
      let pending = await SecurePendingSignIns(place.secrets, realm: begun.realm).pending(),
      pending.isAccepted(at: .now)
    {
      output.state = "challenged"
      output.reason = pending.challenge.kind.id
      output.provider = begun.provider
    }
    return output
  }

  /// Of a program without a user: its token can be replaced as long as it has its key or secret.
  private func status(of service: Profile) async -> StatusOutput {
    var service = service
    service.storage = options.storage ?? service.storage
    var output = StatusOutput(
      issuer: service.settings[.issuer], provider: service.provider, storage: service.storage)
    do {
      guard try clientSecret(of: service) != nil else { return output }
      let opened = try ServiceProfile(service, in: self)
      let token = try await opened.tokens().storedToken()
      let isValid = token?.expiresAt.map { $0 > Date() } ?? false
      (output.state, output.reason) = isValid ? ("signed_in", nil) : ("stale", "refresh_needed")
      (output.expires_at, output.scopes) = (token?.expiresAt, token?.scopes ?? [])
      var resources: [(entry: ProfileResource, expiresAt: Date?)] = []
      for entry in service.resources ?? [] {
        resources.append((entry, try await opened.tokens(for: entry).storedToken()?.expiresAt))
      }
      if !resources.isEmpty { output.resources = resources }
    } catch {
      output.state = "unavailable"
      output.reason = (error as? AuthenticationError)?.code
    }
    return output
  }

  private func stored() -> StatusOutput {
    let saved = Result { () throws(AuthenticationError) in try load() }
    let profile = (try? saved.get()) ?? nil
    var output = StatusOutput(
      issuer: profile?.openID?.issuer, provider: profile?.provider ?? "none",
      storage: options.storage ?? profile?.storage ?? .best)
    do throws(AuthenticationError) {
      guard let profile = try saved.get() else { return output }
      let record = try storage(output.storage).realm(profile.realm).store.read()
      if let session = record?.session { output.take(session) }
      if output.issuer == nil { output.issuer = (try? OpenProfile(profile, in: self))?.issuerIdentifier }
      output.take(profile.resources ?? [], record)
      if record?.needsInteraction == true { (output.state, output.reason) = ("stale", "interaction_required") }
      if record?.refusedRefresh?.isConfirmed == true { (output.state, output.reason) = ("expired", "refresh_refused") }
      if let reason = record?.endReason ?? (record?.formerUser != nil ? .ambiguousLoss : nil) { output.take(reason) }
    } catch {
      output.state = "unavailable"
      output.reason = error.code
    }
    return output
  }
}

/// The output of `status`; read from the store alone, so that nothing is sent.
private struct StatusOutput {
  var state = "signed_out"
  var reason: String? = "absent"
  var provider_code: String?
  var user: User?
  var showsClaims = false
  /// The ID token in them was validated when it came.
  var tokens: SessionTokens?
  var issuer: String?
  var provider: String
  var expires_at: Date?
  var scopes: [String] = []
  /// Nil if none was named at login.
  var resources: [(entry: ProfileResource, expiresAt: Date?)]?
  var storage: StorageKind
  /// The sentence for a user whom the provider, or its vendor, no longer accepts.
  var ending: String?

  var json: JSONObject {
    [
      "state": state, "reason": reason, "provider_code": provider_code, "user": user?.json, "issuer": issuer,
      "provider": provider, "expires_at": expires_at, "scopes": scopes, "storage": storage,
      "claims": claims,
      "resources": resources?.map {
        ["resource": $0.entry.resource, "origin": $0.entry.origin, "expires_at": $0.expiresAt] as JSONObject
      },
    ]
  }

  /// The claims of the validated ID token, the protocol's members aside, and the other known members of the user.
  private var claims: [String: JSONValue]? {
    guard showsClaims, let user else { return nil }
    let token = tokens?.identity.flatMap { JSONMembers(unverified: $0) }?.values ?? [:]
    return user.allClaims.merging(token.withoutSecrets(tokens?.secrets ?? [])) { own, _ in own }
      .filter { !Self.ofProtocol.contains($0.key) }
  }

  private static let ofProtocol: Set = ["iss", "aud", "exp", "iat", "nonce", "at_hash", "azp", "_claim_sources"]

  mutating func take(_ end: SignOutReason) {
    reason = end.description
    provider_code = end.providerCode
    ending = end.failure?.told
  }

  mutating func take(_ declared: [ProfileResource], _ record: SessionRecord?) {
    if declared.isEmpty { return }
    resources = declared.map { ($0, record?.resourceTokens[$0.declaration.key]?.expiresAt) }
  }

  mutating func take(_ session: AuthSession) {
    let token = session.accessToken
    let isOver = token.expiresAt.map { $0 <= Date() } ?? false
    let isEnded = isOver && session.tokens.refresh == nil
    state = isEnded ? "expired" : isOver ? "stale" : "signed_in"
    reason = isOver && !isEnded ? "refresh_needed" : nil
    user = session.user
    tokens = session.tokens
    // Of Microsoft Entra ID the tenant's own.
    issuer =
      issuer ?? session.tokens.identity.flatMap { JSONMembers(unverified: $0) }?["iss"] ?? user?.claims["iss"]?.text
    expires_at = token.expiresAt
    scopes = token.scopes
  }

  var lines: [String] {
    let why = [reason, provider_code].compactMap(\.self).joined(separator: ", ")
    var lines = ["state: \(state)\(why.isEmpty ? "" : " (\(why))")"]
    if let user { lines.append("user: \(user.name.map { "\($0) (\(user.id))" } ?? user.id)") }
    lines.append("provider: \(provider)\(issuer.map { " at \($0)" } ?? "")")
    if let expires_at { lines.append("access token until: \(expires_at.formatted(.iso8601))") }
    lines.append("storage: \(storage.rawValue)")
    for (entry, expiresAt) in resources ?? [] {
      let end = expiresAt.map { ", access token until: \($0.formatted(.iso8601))" } ?? ""
      lines.append("resource: \(entry.resource) at \(entry.origin)\(end)")
    }
    for (name, value) in claims?.sorted(by: { $0.key < $1.key }) ?? [] {
      lines.append("claim: \(([name: value] as JSONObject).line ?? name)")
    }
    return lines
  }
}

extension User {
  /// As `--json` prints one.
  var json: JSONObject { ["id": id, "name": name, "email": email] }

  /// The members besides the id, by the names of OpenID Connect Core §5.1 where they have one there.
  fileprivate var allClaims: [String: JSONValue] {
    let named: [String: JSONValue?] = [
      "name": name.map(JSONValue.string).flatMap { claims.values.contains($0) ? nil : $0 },
      "email": email.map(JSONValue.string), "email_verified": isEmailVerified.map(JSONValue.boolean),
      "phone_number": phoneNumber.map(JSONValue.string), "picture": picture.map(JSONValue.string),
      "locale": locale.map(JSONValue.string),
    ]
    return claims.merging(named.compactMapValues(\.self)) { own, _ in own }
  }
}

struct Methods: Command {
  static let configuration = CommandConfiguration(
    commandName: "methods", abstract: "List the ways to sign in of the profile's provider, or of the one that is named."
  )

  @OptionGroup(title: "Another provider than the profile's") var at: ProviderOptions

  @Flag(help: "Print an object a line, as JSON.")
  var json = false

  @OptionGroup var options: ProfileOptions

  func perform(on console: Console) async throws {
    let methods = try at.isUsed ? at.root(console).methods : OpenProfile.saved(options, console: console).root.methods
    for method in methods {
      console.out(method.id, json: ["id": method.id, "name": method.displayName, "needs": method.needs.map(\.id)])
    }
  }
}
