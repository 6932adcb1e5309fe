extension FuzzTarget {
  #if OpenID
  static let openID = [
    Self(name: "token-response", check: TokenResponseTarget.check),
    Self(name: "stored-sign-in", check: StoredSignInTarget.check),
    Self(name: "id-token", check: IDTokenTarget.check),
    Self(name: "key-set", check: KeySetTarget.check),
    Self(name: "discovery", check: DiscoveryTarget.check),
    Self(name: "callback", check: CallbackTarget.check),
  ]
  #else
  /// Without the trait OpenID nothing of an issuer is read, and swift-crypto is not built.
  static let openID: [Self] = []
  #endif
}
