#if Tools && OpenID
import AuthenticationDomain
import AuthenticationTestingServers
import Foundation

/// The part of a vendor's service that speaks OAuth 2.0 or OpenID Connect: an issuer with the vendor's paths.
struct VendorIssuer: Sendable {
  typealias Endpoint = LoopbackOpenIDIssuer.Endpoint
  typealias Account = LoopbackOpenIDIssuer.Account

  var state: IssuerState

  init(_ options: LoopbackOpenIDIssuer.Options) { state = IssuerState(options: options) }

  /// A grant as in `token refresh_token`, else the endpoint's name, such as `userInfo`.
  func operation(_ request: VendorRequest) -> String? {
    guard let endpoint = state.endpoint(at: request.recorded.path) else { return nil }
    guard endpoint == .token else { return "\(endpoint)" }
    return "token \(request.fields?["grant_type"] ?? "")"
  }

  /// As an issuer without quirks responds.
  mutating func answer(_ request: VendorRequest, at now: Date) -> Answer {
    guard let endpoint = state.endpoint(at: request.recorded.path) else { return .error("not_found", status: 404) }
    return state.process(request.recorded, on: endpoint, at: now)
  }

  /// The response of an endpoint to these fields, sent as a form.
  ///
  /// - Throws: the issuer's refusal, without words.
  mutating func post(
    _ fields: Fields, of request: VendorRequest, to endpoint: Endpoint, at now: Date
  ) throws(VendorRefusal) -> [String: JSONValue] {
    var headers = request.recorded.headers
    headers["content-type"] = "application/x-www-form-urlencoded"
    let body = fields.pairs.map { "\(Fields.encode($0.name))=\(Fields.encode($0.value))" }.joined(separator: "&")
    let form = VendorTraffic.RecordedRequest(
      method: "POST", path: request.recorded.path, query: "", headers: headers, body: Data(body.utf8))
    let answer = state.process(form, on: endpoint, at: now)
    let members = (try? JSONDecoder().decode([String: JSONValue].self, from: answer.body)) ?? [:]
    if let code = members["error"]?.text { throw VendorRefusal(code: code, status: answer.status) }
    return members
  }

  /// Tokens for a user who signed in in another way than the issuer knows.
  mutating func grant(_ account: Account, scope: String?, at now: Date) throws(VendorRefusal) -> [String: JSONValue] {
    let scopes = (scope ?? "").split(separator: " ").map(String.init)
    guard let answer = try? state.grant(account, scopes: scopes, at: now),
      let members = try? JSONDecoder().decode([String: JSONValue].self, from: Data(answer.text.utf8))
    else { throw VendorRefusal(code: "server_error", status: 500) }
    return members
  }

  /// Whose access token came with a request; nil if it is not good, or none came.
  func owner(of request: VendorRequest, at now: Date) -> Account? {
    guard let token = request.recorded.bearerToken.flatMap({ state.accessTokens[$0] }), now < token.expiresAt else {
      return nil
    }
    return state.signIns[token.signIn]?.account
  }
}

extension VendorRequest {
  /// The fields of the body, in a form or in an object of JSON whose members are texts.
  var fields: Fields? { form ?? json.map { Fields($0.compactMapValues(\.text)) } }
}
#endif
