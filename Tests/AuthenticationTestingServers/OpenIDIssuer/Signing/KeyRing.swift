#if Tools && OpenID
/// The keys an issuer publishes, and the one it signs with.
struct KeyRing: Sendable {
  private(set) var published: [SigningKey]
  private var made = 1

  var current: SigningKey { published[published.count - 1] }

  init(algorithm: SigningAlgorithm) {
    published = [SigningKey(id: "key-1", algorithm: algorithm, number: 1)]
  }

  /// Signs with a new key from now on.
  mutating func rotate(to algorithm: SigningAlgorithm, keepingOld: Bool) {
    made += 1
    let key = SigningKey(id: "key-\(made)", algorithm: algorithm, number: made)
    published = (keepingOld ? published : []) + [key]
  }

  /// A key under the current one's name that is published nowhere.
  var impostor: SigningKey { SigningKey(id: current.id, algorithm: current.algorithm, number: 0) }
}
#endif
