/// The rules of one access token, the session's own or that of a resource: which one is refused, and how long it can
/// last. The token itself stands in the ``SessionRecord``.
struct AccessTokenState: Sendable, Equatable {
  private var rejected: AccessToken?
  /// A refresh has returned a token that cannot last as long as a caller wanted: no other one will.
  private(set) var isLifetimeCapped = false

  init(isLifetimeCapped: Bool = false) { self.isLifetimeCapped = isLifetimeCapped }

  /// The token, unless a resource has refused it.
  func usable(_ token: AccessToken?) -> AccessToken? { token == rejected ? nil : token }

  /// This state without a refusal of any other token.
  func concerning(_ token: AccessToken?) -> Self {
    var state = self
    if rejected != token { state.rejected = nil }
    return state
  }

  /// Notes that a resource refused the token: it is not returned again.
  ///
  /// - Returns: false if that is known.
  mutating func reject(_ token: AccessToken) -> Bool {
    defer { rejected = token }
    return token != rejected
  }

  /// Notes that the session has got its tokens: the provider vouches for each of them.
  mutating func acceptAll() { rejected = nil }

  /// Notes a token that a refresh has returned.
  mutating func noteNew(_ token: AccessToken, wanted: Duration?, _ policy: RefreshPolicy) {
    if let wanted, !policy.canLast(token, for: wanted) { isLifetimeCapped = true }
  }

  /// Forgets how long tokens last: another sign-in may get other ones.
  mutating func beginSignIn() { isLifetimeCapped = false }

  /// Whether the token lasts as long as a caller wants (nil: more than the leeway).
  func isEnough(_ token: AccessToken, remaining: Duration?, wanted: Duration?, _ policy: RefreshPolicy) -> Bool {
    let enough =
      wanted.map { policy.enough(of: token, for: $0, isCapped: isLifetimeCapped) } ?? policy.leeway(of: token)
    return remaining.map { $0 > enough } ?? true
  }
}
