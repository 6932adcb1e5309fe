import AuthenticationData
import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension IssuerReport {
  private struct KeySet: Decodable {
    struct Key: Decodable {}
    let keys: [Key]
  }

  /// Only names of known algorithms are quoted.
  mutating func examineAlgorithms(_ wire: MetadataWire, matters: Bool) {
    guard let advertised = wire.lists[.idTokenAlgorithms] else {
      add(
        "algorithms", .warning, "The issuer does not say how it signs ID tokens.",
        advice: "Have it publish id_token_signing_alg_values_supported.")
      return
    }
    let usable = SignatureAlgorithm.all.map(\.description).filter(advertised.contains).sorted()
    guard !usable.isEmpty else {
      add(
        "algorithms", matters ? .problem : .warning,
        "None of the algorithms the issuer signs ID tokens with is usable here.",
        advice: "Have the issuer sign with RS256, ES256 or EdDSA.", code: .security)
      return
    }
    let others = advertised.count - usable.count
    let passedOver = others > 0 ? " (\(others) more passed over)" : ""
    add("algorithms", .ok, "Usable for ID tokens: \(usable.joined(separator: ", "))\(passedOver).")
  }

  mutating func examineKeys(_ url: URL?, _ documents: IssuerDocuments, matters: Bool) async {
    guard let url else {
      let message = AuthenticationError.noKeySet.message
      guard matters else {
        return add("keys", .warning, message, advice: "It is a plain OAuth issuer: no ID token says who signed in.")
      }
      return add(
        "keys", .problem, message, advice: "Have it publish jwks_uri, or ask for no scope 'openid'.", code: .security)
    }
    do throws(AuthenticationError) {
      let response = try await documents.keySetResponse(url)
      let usable = try JSONWebKeySet(json: response.body).keys.count
      let all = (try? BoundedJSON.decode(KeySet.self, from: response.body))?.keys.count ?? usable
      let message = "Of \(all) \(all == 1 ? "key" : "keys"), \(usable) can verify ID tokens here."
      if usable > 0 {
        add("keys", .ok, message)
      } else {
        add(
          "keys", .problem, message, advice: "Have the issuer publish an RSA key of 2048 bits or more.", code: .security
        )
      }
    } catch {
      add("keys", error)
    }
  }
}
