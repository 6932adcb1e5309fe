#if Tools && OpenID
import Foundation

extension IssuerState {
  /// RFC 9126 §2.
  mutating func push(_ request: Request, at now: Date) -> Answer {
    switch authenticatedForm(request, at: now) {
    case .failure(let refusal): return .refusal(refusal)
    case .success(let form):
      guard form["request_uri"] == nil else { return .refusal(Refusal("invalid_request")) }
      let reference = "urn:ietf:params:oauth:request_uri:" + OpaqueToken.make()
      pushed[reference] = PushedRequest(fields: form, expiresAt: now.addingTimeInterval(60))
      return .json(JSON.object(["request_uri": .string(reference), "expires_in": 60]).text, status: 201)
    }
  }
}
#endif
