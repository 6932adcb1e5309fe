import AuthenticationData
import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Passkeys, which need a custom domain.
extension Auth0AuthProvider {
  func askForPasskey() async throws(AuthenticationError) -> Challenge {
    try passkey(.passkey, try await post("passkey/challenge", realm))
  }

  /// Creates an account whose key is a passkey. Who it is for comes as attributes: `email`, `phone_number`, `username`,
  /// `name`.
  func registerPasskey() async throws(AuthenticationError) -> Challenge {
    let names = ["email", "phone_number", "username", "name"]
    let profile = names.reduce(into: [String: JSONValue]()) { profile, name in
      profile[name] = SignInAttributes.current[name].map { .string($0.reveal()) }
    }
    let body = realm.merging(["user_profile": .object(profile)]) { $1 }
    return try passkey(.passkeyRegistration, try await post("passkey/register", body))
  }

  func finishPasskey(_ answer: Secret, _ handle: ChallengeHandle) async throws(AuthenticationError) -> SignInOutcome {
    guard let response = try? BoundedJSON.decode(JSONValue.self, from: Data(answer.reveal().utf8)) else {
      throw AuthenticationError(.invalidRequest, "The authenticator's response is not JSON; nothing was sent.")
    }
    let endpoint = try await openID.tokenEndpoint()
    let scopes = endpoint.client.askedScopes.joined(separator: " ")
    let body: [String: JSONValue?] = [
      "grant_type": "urn:okta:params:oauth:grant-type:webauthn", "client_id": .string(application.clientID),
      "auth_session": .string(try handle.required("session")), "authn_response": response,
      "realm": .string(application.connection), "scope": .string(scopes),
      "audience": application.audience.map { .string($0) },
      "organization": application.organization.map { .string($0) },
    ]
    var request = try service.post("oauth/token", body.compactMapValues(\.self))
    request.url = endpoint.url
    return try await outcome(of: request, endpoint, Auth0Refusals.passkey)
  }

  private var realm: [String: JSONValue?] {
    [
      "realm": .string(application.connection), "organization": application.organization.map { .string($0) },
    ]
  }

  private func passkey(_ kind: Challenge.Kind, _ response: HTTPResponse) throws(AuthenticationError) -> Challenge {
    let body = try JSONMembers(response)
    guard let options = body.values["authn_params_public_key"], let json = try? JSONEncoder().encode(options) else {
      throw .unexpectedAnswer
    }
    return Challenge(
      kind: kind, handle: ChallengeHandle(Step.passkey, ["session": try body.required("auth_session")]).secret,
      passkeyRequest: Secret(String(decoding: json, as: UTF8.self)))
  }
}
