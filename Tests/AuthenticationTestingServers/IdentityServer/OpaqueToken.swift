#if Tools
import Foundation

/// 256 random bits as base64url without padding (RFC 4648 §5).
package enum OpaqueToken {
  package static func make() -> String {
    var random = SystemRandomNumberGenerator()
    let bytes = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    return Data(bytes).base64EncodedString()
      .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }
}
#endif
