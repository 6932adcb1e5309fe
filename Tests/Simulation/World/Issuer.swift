/// The identity provider: rotates refresh tokens, and takes a spent one for theft unless its grace lasts.
struct Issuer {
  /// One set of tokens: the `rotation`-th of a `family`, which begins with a sign-in.
  struct TokenSet: Hashable, CustomStringConvertible {
    let family: Int
    let rotation: Int

    var description: String { "\(family).\(rotation)" }
  }

  enum Refusal: String { case unknown, revokedByAdministrator, revokedByClient, reuse }

  private struct Family {
    let user: String
    var refusal: Refusal?
    var spentAt: [Duration?] = [nil]
    var successors: [Int?] = [nil]
  }

  let rotates: Bool
  let grace: Duration
  /// Within the grace some providers answer the same successor again, others make another one.
  let repeatsSuccessor: Bool
  private var families: [Family] = []
  var steps: [Step] = []
  var stepOfHandle: [String: Int] = [:]

  init(rotates: Bool, grace: Duration, repeatsSuccessor: Bool) {
    self.rotates = rotates
    self.grace = grace
    self.repeatsSuccessor = repeatsSuccessor
  }

  mutating func signIn(_ user: String) -> TokenSet {
    families.append(Family(user: user))
    return TokenSet(family: families.count - 1, rotation: 0)
  }

  func user(of family: Int) -> String { families[family].user }
  func refusal(of family: Int) -> Refusal? { families[family].refusal }
  func spentAt(_ set: TokenSet) -> Duration? { families[set.family].spentAt[set.rotation] }

  /// Redeems a refresh token; a spent one ends the family.
  mutating func refresh(_ set: TokenSet, at time: Duration) -> Result<TokenSet, RefusalError> {
    if let refusal = families[set.family].refusal { return .failure(RefusalError(refusal)) }
    if let spentAt = families[set.family].spentAt[set.rotation], rotates {
      if time > spentAt + grace {
        families[set.family].refusal = .reuse
        return .failure(RefusalError(.reuse))
      }
      if repeatsSuccessor, let successor = families[set.family].successors[set.rotation] {
        return .success(TokenSet(family: set.family, rotation: successor))
      }
    }
    let successor = families[set.family].spentAt.count
    if families[set.family].spentAt[set.rotation] == nil { families[set.family].spentAt[set.rotation] = time }
    families[set.family].successors[set.rotation] = successor
    families[set.family].spentAt.append(nil)
    families[set.family].successors.append(nil)
    return .success(TokenSet(family: set.family, rotation: successor))
  }

  /// Whether a refresh token still refreshes its session.
  func accepts(_ set: TokenSet, at time: Duration) -> Bool {
    guard families[set.family].refusal == nil else { return false }
    return !rotates || families[set.family].spentAt[set.rotation].map { time <= $0 + grace } ?? true
  }

  mutating func revoke(_ family: Int, because refusal: Refusal) {
    if families[family].refusal == nil { families[family].refusal = refusal }
  }

  struct RefusalError: Error {
    let refusal: Refusal
    init(_ refusal: Refusal) { self.refusal = refusal }
  }
}
