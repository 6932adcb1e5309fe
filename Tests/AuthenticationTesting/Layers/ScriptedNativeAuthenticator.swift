public import AuthenticationData
public import AuthenticationDomain
import Synchronization
import Foundation

/// Stands in for a vendor's sheet: answers by a closure, or as a vendor would, and records its requests.
///
/// ```swift
/// let apple = ScriptedNativeAuthenticator { request in .sample(request, of: "apple-ada") }
/// options.methods = [.apple(apple, storage: storage)]
/// ```
public final class ScriptedNativeAuthenticator: NativeAuthenticator {
  private let asked = Mutex<[NativeSignInRequest]>([])
  private let answer: @Sendable (NativeSignInRequest) async throws(AuthenticationError) -> NativeCredentials

  /// By default the user `apple-ada` agrees, and nothing is told about them.
  public init(
    answer: @escaping @Sendable (NativeSignInRequest) async throws(AuthenticationError) -> NativeCredentials = {
      request throws(AuthenticationError) in .sample(request)
    }
  ) {
    self.answer = answer
  }

  /// Every request so far, in order.
  public var requests: [NativeSignInRequest] { asked.withLock { $0 } }

  public func signIn(_ request: NativeSignInRequest) async throws(AuthenticationError) -> NativeCredentials {
    asked.withLock { $0.append(request) }
    return try await answer(request)
  }
}

extension NativeCredentials {
  /// A vendor's result for a request: a token without a signature, about this user, with the request's nonce.
  ///
  /// - Parameters:
  ///   - request: whose nonce the token has.
  ///   - vendorUserID: `sub`.
  ///   - name: the name, which the vendor sends once.
  ///   - email: the address, which the vendor sends once.
  ///   - claims: replaces claims of the token; `null` leaves one out.
  public static func sample(
    _ request: NativeSignInRequest, of vendorUserID: String = "apple-ada", name: UserName? = nil,
    email: String? = nil, claims: [String: JSONValue] = [:]
  ) -> Self {
    var payload: [String: JSONValue] = ["sub": .string(vendorUserID)]
    payload["nonce"] = request.nonce.map { .string($0.reveal()) }
    payload.merge(claims) { $1 }
    payload = payload.filter { $1 != .null }
    return Self(
      method: .apple, identityToken: .unsignedJWT(payload), authorizationCode: Secret("code of \(vendorUserID)"),
      vendorUserID: vendorUserID, name: name, email: email, state: request.state)
  }
}

extension Secret {
  /// A JWT whose signature no verifier accepts (RFC 7519 §3).
  public static func unsignedJWT(_ claims: [String: JSONValue]) -> Secret {
    let encoder = JSONEncoder()
    // The same claims are the same text in every call: a dictionary has no order.
    encoder.outputFormatting = .sortedKeys
    guard let payload = try? encoder.encode(claims) else { preconditionFailure("Claims can be encoded.") }
    let parts = [Data(#"{"alg":"RS256"}"#.utf8), payload, Data("unsigned".utf8)].map { part in
      part.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
    return Secret(parts.joined(separator: "."))
  }
}
