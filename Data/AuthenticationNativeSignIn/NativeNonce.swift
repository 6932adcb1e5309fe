import AuthenticationData
import AuthenticationDomain

/// In which form a vendor gets the nonce of an attempt. The server that verifies the token gets it raw.
public enum NativeNonce: Sendable {
  /// The lower-case hexadecimal SHA-256 of it: Apple, and whoever verifies as Firebase and Supabase do.
  case hashed
  /// As it is: Facebook.
  case plain
  /// Not at all: an SDK that takes none. A token that was stolen elsewhere cannot be told from the person's then.
  case unsupported

  func applied(to raw: Secret) -> Secret? {
    switch self {
    case .hashed: Secret(PublicSHA256.hexadecimal(raw.reveal().utf8))
    case .plain: raw
    case .unsupported: nil
    }
  }
}

extension NativeSignInRequest {
  /// Refuses an answer to another request. This is an early check: the server verifies the token.
  func check(_ response: NativeSignInResponse) throws(AuthenticationError) {
    if let state = response.state, state != self.state {
      throw .refused(by: .state, "The vendor's sheet answered another request.")
    }
    guard let token = response.identityToken, !token.isEmpty else { return }
    guard let claims = JSONMembers(unverified: token) else {
      throw .refused(by: .idToken, "The vendor's identity token is not a JWT.")
    }
    if let id = response.vendorUserID, let subject = claims["sub"], subject != id {
      throw .refused(by: .subject, "The vendor's identity token is about another person than its answer.")
    }
    guard let nonce else { return }
    let isExcused = claims.values["nonce"] == nil && claims.flag("nonce_supported") == false
    guard isExcused || claims["nonce"] == nonce.reveal() else {
      throw .refused(by: .nonce, "The vendor's identity token does not have the nonce of this attempt.")
    }
  }
}
