#if Tools
import Foundation

extension LoopbackIdentityServer.Fault {
  /// The response in place of the endpoint's; nil when the endpoint processes the request.
  package var standIn: Answer? {
    switch self {
    case .status(let status, let retryAfter):
      let answer = [204, 304].contains(status) ? Answer(status: status) : .error("fault", status: status)
      return retryAfter.map { answer.adding("Retry-After", "\($0)") } ?? answer
    case .html:
      return Answer(
        status: 200, headers: ["Content-Type": "text/html; charset=utf-8"],
        body: Data("<!doctype html><title>Welcome</title><p>Sign in to the network</p>".utf8))
    case .empty, .hang:
      return Answer(status: 200)
    case .huge(let bytes):
      let frame = "{\"padding\":\"\"}".utf8.count
      return .json("{\"padding\":\"\(String(repeating: "x", count: max(0, bytes - frame)))\"}")
    case .basicChallenge:
      return .error("invalid_client", status: 401).adding("WWW-Authenticate", "Basic realm=\"x\"")
    case .redirect(let url, let status):
      return Answer(status: status, headers: ["Location": url.absoluteString])
    case .truncatedJSON, .firstPage, .dropAfterProcessing, .slow, .setCookie, .expiresIn:
      return nil
    }
  }

  package func spoil(_ answer: Answer) -> Answer {
    switch self {
    case .truncatedJSON:
      var half = answer
      half.body = answer.body.prefix(answer.body.count / 2)
      return half
    case .firstPage:
      guard var object = try? JSONSerialization.jsonObject(with: answer.body) as? [String: Any],
        let (name, list) = object.compactMap({ name, value in (value as? [Any]).map { (name, $0) } }).first
      else { return answer }
      (object[name], object["next"]) = (Array(list.prefix(list.count / 2)), "2")
      var page = answer
      page.body = (try? JSONSerialization.data(withJSONObject: object)) ?? answer.body
      return page
    case .setCookie:
      return answer.adding("Set-Cookie", "loopback=\(OpaqueToken.make()); Path=/")
    default:
      return answer
    }
  }

  /// Real time to wait before the response.
  package var delay: Duration {
    if case .slow(let duration) = self { duration } else { .zero }
  }
}
#endif
