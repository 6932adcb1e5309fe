#if Tools && OpenID
import Foundation

extension LoopbackIdentityServer.RecordedRequest {
  /// The fields of a form in the body, by name; of a repeated one the first.
  public var form: [String: String] { Fields(String(decoding: body, as: UTF8.self)).byName }

  /// The parameters of the query, by name; of a repeated one the first.
  public var parameters: [String: String] { Fields(query).byName }
}
#endif
