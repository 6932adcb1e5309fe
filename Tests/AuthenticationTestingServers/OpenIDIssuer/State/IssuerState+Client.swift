#if Tools && OpenID
import Foundation

extension IssuerState {
  /// The form of a request whose client is the registered one (RFC 6749 §2.3); else how to refuse it.
  func authenticatedForm(_ request: Request) -> Result<Fields, Refusal> {
    let type = request.header("Content-Type")?.split(separator: ";").first.map(String.init)
    let form = Fields(String(decoding: request.body, as: UTF8.self))
    guard type == "application/x-www-form-urlencoded", !form.hasRepetition else {
      return .failure(Refusal("invalid_request"))
    }
    guard isAuthenticated(form, request.header("Authorization")) else { return .failure(.invalidClient) }
    return .success(form)
  }

  private func isAuthenticated(_ form: Fields, _ authorization: String?) -> Bool {
    guard let secret = options.clientSecret else {
      return authorization == nil && form["client_id"] == options.clientID && form["client_secret"] == nil
    }
    switch options.clientAuthentication {
    case .post:
      return authorization == nil && form["client_id"] == options.clientID && form["client_secret"] == secret
    case .basic:
      guard let authorization, authorization.hasPrefix("Basic "), form["client_secret"] == nil,
        let pair = Data(base64Encoded: String(authorization.dropFirst(6)))
      else { return false }
      let sides = String(decoding: pair, as: UTF8.self).split(separator: ":", maxSplits: 1).map { Fields.decode($0) }
      return sides == [options.clientID, secret]
    }
  }
}

/// An error of RFC 6749 §5.2.
struct Refusal: Error {
  let code: String
  var status = 400
  var headers: [String: String] = [:]

  init(_ code: String, status: Int = 400, headers: [String: String] = [:]) {
    self.code = code
    self.status = status
    self.headers = headers
  }

  static let invalidClient = Refusal(
    "invalid_client", status: 401, headers: ["WWW-Authenticate": "Basic realm=\"loopback\""])
  static let invalidGrant = Refusal("invalid_grant")
}

extension Answer {
  /// The words in the body are a canary: no client may show or log them.
  static func refusal(_ refusal: Refusal) -> Answer {
    var answer = Answer.json(
      JSON.object(["error": .string(refusal.code), "error_description": "canary words of the issuer"]).text,
      status: refusal.status)
    answer.headers.merge(refusal.headers) { $1 }
    return answer
  }
}
#endif
