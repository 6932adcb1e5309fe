import AuthenticationData
import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension FirebaseAuthProvider {
  /// Hands over what a vendor's own sign-in on this device returned (`accounts:signInWithIdp`).
  func handOver(
    _ credentials: NativeCredentials, linkingTo token: Secret?
  ) async throws(AuthenticationError) -> SignInOutcome {
    guard let provider = Self.providers[credentials.method] else { throw .unsupportedMethod(credentials.method) }
    var form = FormBody(["providerId": provider])
    form.add("id_token", credentials.identityToken?.reveal())
    form.add("access_token", credentials.accessToken?.reveal())
    form.add("nonce", credentials.rawNonce?.reveal())
    if credentials.method == .apple { form.add("user", Self.person(credentials.name)) }
    return try await begin(
      "v1/accounts:signInWithIdp",
      [
        "postBody": .string(form.encoded), "requestUri": "http://localhost", "returnSecureToken": true,
        "returnIdpCredential": true, "autoCreate": true,
      ], linkingTo: token)
  }

  /// `{"name":{"firstName","lastName"}}`, which Apple tells once.
  private static func person(_ name: PersonName?) -> String? {
    guard let name else { return nil }
    let wire: [String: JSONValue] = [
      "name": ["firstName": .string(name.given ?? ""), "lastName": .string(name.family ?? "")]
    ]
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return (try? encoder.encode(wire)).map { String(decoding: $0, as: UTF8.self) }
  }

  private static let providers: [SignInMethod: String] = [
    .apple: "apple.com", .google: "google.com", .facebook: "facebook.com",
  ]
}
