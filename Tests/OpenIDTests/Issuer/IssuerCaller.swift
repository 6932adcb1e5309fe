import AuthenticationData
import Crypto
import Foundation
import AuthenticationTestingServers

@testable import AuthenticationOpenID

/// Speaks to the loopback issuer in plain requests, as no client of ours would have to.
struct IssuerCaller {
  let issuer: LoopbackOpenIDIssuer
  let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
  let redirect = "http://127.0.0.1:5000/callback"

  struct Answer {
    let response: HTTPResponse
    let members: [String: Any]

    var status: Int { response.status }
    func text(_ name: String) -> String? { members[name] as? String }
  }

  func get(_ endpoint: LoopbackOpenIDIssuer.Endpoint, headers: HTTPHeaders = [:]) async throws -> Answer {
    try await send(HTTPRequest(.get, issuer.url(endpoint), headers: headers))
  }

  func post(
    _ fields: KeyValuePairs<String, String?>, to endpoint: LoopbackOpenIDIssuer.Endpoint = .token,
    proof: String? = nil
  ) async throws -> Answer {
    var request = HTTPRequest(posting: FormBody(fields), to: issuer.url(endpoint))
    request.headers["DPoP"] = proof
    return try await send(request)
  }

  /// The redirect that answers an authorization request with the verifier's challenge.
  func authorize(_ more: [String: String] = [:]) async throws -> [String: String] {
    let challenge = Base64URL.encode(SHA256.hash(data: Data(verifier.utf8)))
    var parts = URLComponents(url: issuer.url(.authorization), resolvingAgainstBaseURL: false)
    let usual = [
      "client_id": "app", "redirect_uri": redirect, "response_type": "code", "state": "s", "nonce": "n",
      "scope": "openid profile offline_access", "code_challenge": challenge, "code_challenge_method": "S256",
    ]
    parts?.queryItems = usual.merging(more) { $1 }.map(URLQueryItem.init)
    guard let page = parts?.url, let redirect = try await issuer.visit(page) else { return [:] }
    let items = URLComponents(url: redirect, resolvingAgainstBaseURL: false)?.queryItems ?? []
    return Dictionary(items.map { ($0.name, $0.value ?? "") }) { $1 }
  }

  func redeem(_ code: String?, verifier: String? = nil, proof: String? = nil) async throws -> Answer {
    try await post(
      [
        "grant_type": "authorization_code", "code": code, "redirect_uri": redirect, "client_id": "app",
        "code_verifier": verifier ?? self.verifier,
      ], proof: proof)
  }

  func refresh(_ token: String?) async throws -> Answer {
    try await post(["grant_type": "refresh_token", "refresh_token": token, "client_id": "app"])
  }

  private func send(_ request: HTTPRequest) async throws -> Answer {
    let response = try await SystemHTTPClient().send(request)
    let members = try? JSONSerialization.jsonObject(with: response.body) as? [String: Any]
    return Answer(response: response, members: members ?? [:])
  }
}
