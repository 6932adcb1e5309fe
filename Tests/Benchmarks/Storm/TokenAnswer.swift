import Foundation
import Synchronization

/// The JSON of a token endpoint, about 1.3 kB; each one holds new tokens.
enum TokenAnswer {
  private static let count = Atomic(0)

  static func next() -> Data {
    let number = count.add(1, ordering: .relaxed).newValue
    return json(access: "\(Samples.token("access", length: 720)).\(number)", refresh: "refresh-\(number)")
  }

  static func json(access: String, refresh: String) -> Data {
    Data(
      """
      {"accessToken":"\(access)","tokenType":"Bearer","expiresIn":3600,\
      "idToken":"\(Samples.token("identity", length: 420))","refreshToken":"\(refresh)"}
      """.utf8)
  }
}
