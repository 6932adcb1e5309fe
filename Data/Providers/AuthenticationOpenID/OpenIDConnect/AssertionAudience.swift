/// Whom an assertion addresses (`aud`, RFC 7523 §3), always as one text.
public enum AssertionAudience: Sendable, Hashable {
  /// The issuer's identifier: no other server can use the assertion.
  case issuer
  /// The URL of the token endpoint, for older servers that accept nothing else.
  case tokenEndpoint
}
