import AuthenticationData
public import AuthenticationDomain
import AuthenticationOpenID
public import Foundation
import Synchronization
#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

/// Remembers the proofs that were used, so that none is accepted twice (RFC 9449 §11.1).
///
/// ### Choose a store
///
/// A server of one process needs none: ``AccessTokenProofs`` has a store in memory. If several processes serve one
/// resource, they need one store for all.
///
/// ### Implement a store
///
/// One command of a database that writes a key only where there is none, with an expiry. A store in memory also removes
/// the proofs that have expired.
///
/// ```swift
/// import AuthenticationVerifier
/// import Foundation
///
/// actor UsedProofs: ProofReplayStore {
///   private var used: [String: Date] = [:]
///
///   func insert(_ proof: String, until expiry: Date) async throws -> Bool {
///     used.updateValue(expiry, forKey: proof) == nil
///   }
/// }
/// ```
///
/// ### Errors
///
/// Throw any error if it is unknown whether the proof was used: the request is then refused with 503. Never return true
/// in that case, since a proof could be used twice.
///
/// ### Concurrency
///
/// The verifier calls it once for each request, after every other check of the proof, and calls may overlap.
/// Of two calls with one proof exactly one returns true, also if they come from two processes. The request waits for
/// it: limit the time of the command.
public protocol ProofReplayStore: Sendable {
  /// Records a proof, in one step with the look whether it is there.
  ///
  /// - Parameters:
  ///   - proof: 43 characters that stand for the key and the `jti` of the proof.
  ///   - expiry: until when (UTC) it must be remembered.
  /// - Returns: false if it is there already.
  /// - Throws: any error if that is unknown; the request is then refused with 503.
  func insert(_ proof: String, until expiry: Date) async throws -> Bool
}

/// The rules for tokens that are bound to a key (DPoP, RFC 9449).
///
/// A bound token always needs a proof, and a proof counts once.
///
/// ```swift
/// import AuthenticationVerifier
/// import Foundation
///
/// let proofs = AccessTokenProofs(
///   isRequired: true, nonceSecret: Secret(ProcessInfo.processInfo.environment["NONCE_SECRET"] ?? ""))
/// ```
public struct AccessTokenProofs: Sendable {
  let isRequired: Bool
  let nonceSecret: Secret?
  let replays: (any ProofReplayStore)?

  /// Creates the rules; by default Bearer tokens are accepted too, and no nonce is required.
  ///
  /// - Parameters:
  ///   - isRequired: whether a token that is not bound is refused.
  ///   - nonceSecret: at least 32 bytes that all processes of the server share. With it proofs need a nonce of the
  ///     server (RFC 9449 §9), which is new every 150 seconds and stored nowhere.
  ///   - replays: by default a store in memory, of at most 262,144 proofs, and 16,384 of one key. If it is full, or a
  ///     key has its share, requests with such proofs are refused until some of them expire.
  public init(isRequired: Bool = false, nonceSecret: Secret? = nil, replays: (any ProofReplayStore)? = nil) {
    self.isRequired = isRequired
    self.nonceSecret = nonceSecret
    self.replays = replays
  }
}

/// Checks proofs of possession (RFC 9449 §4.3, §7.1).
struct ProofChecker: Sendable {
  /// `algs` (RFC 9449 §7.1).
  static let algorithms = SignatureAlgorithm.all.map(\.rawValue).sorted()
  private static let privateMembers = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"]

  let isRequired: Bool
  private let base: String
  private let leeway: TimeInterval
  private let clock: any AuthenticationClock
  private let nonces: RollingNonces?
  private let replays: (any ProofReplayStore)?
  private let ownReplays: InMemoryReplayStore

  init(
    _ settings: AccessTokenProofs, baseURL: URL, leeway: Duration, clock: any AuthenticationClock
  ) throws(AuthenticationError) {
    if let secret = settings.nonceSecret, secret.reveal().utf8.count < 32 {
      throw .invalid("nonceSecret", "is shorter than 32 bytes")
    }
    isRequired = settings.isRequired
    let text = baseURL.absoluteString
    base = text.hasSuffix("/") ? String(text.dropLast()) : text
    self.leeway = leeway / .seconds(1)
    self.clock = clock
    nonces = settings.nonceSecret.map(RollingNonces.init)
    replays = settings.replays
    ownReplays = InMemoryReplayStore(clock: clock)
  }

  /// Checks that a bound token comes with its proof, and no other token does; returns the fields for the response.
  ///
  /// - Parameters:
  ///   - isProven: whether the request uses the scheme `DPoP`.
  ///   - thumbprint: of the key that the token is bound to.
  ///   - proofs: the values of the header `DPoP`.
  func check(
    _ isProven: Bool, for token: Secret, boundTo thumbprint: String?, method: String, path: String, proofs: [String]
  ) async throws(AccessTokenFault) -> HTTPHeaders {
    guard isProven else {
      guard thumbprint == nil else { throw .invalidToken("A token that is bound to a key came as a Bearer token.") }
      guard !isRequired else { throw .invalidToken("The token is not bound to a key.") }
      return [:]
    }
    guard let thumbprint else { throw .invalidToken("A token that is bound to no key came with a proof.") }
    guard proofs.count == 1 else { throw .invalidProof("The request has not exactly one DPoP header.") }
    let proof = try Proof(proofs[0])
    guard proof.thumbprint.isSame(as: thumbprint) else {
      throw .invalidProof("The proof is by another key than the one that the token is bound to.")
    }
    guard proof.method.isSame(as: method) else { throw .invalidProof("The proof is for another method (htm).") }
    let target = URL(string: base + path.prefix { $0 != "?" && $0 != "#" })?.normalProofTarget
    guard let target, path.hasPrefix("/"), URL(string: proof.url)?.normalProofTarget.isSame(as: target) == true else {
      throw .invalidProof("The proof is for another URL (htu).")
    }
    guard proof.tokenHash.isSame(as: Base64URL.sha256(of: token.reveal())) else {
      throw .invalidProof("The proof is for another access token (ath).")
    }
    let now = clock.now
    var fields: HTTPHeaders = [:]
    if let nonces {
      guard let age = proof.nonce.flatMap({ nonces.age(of: $0, at: now) }) else {
        var fault = AccessTokenFault(.nonceRequired, "The proof needs a nonce that is valid now.")
        fault.nonce = nonces.nonce(at: now)
        throw fault
      }
      if age != 0 { fields["DPoP-Nonce"] = nonces.nonce(at: now) }
    }
    // `iat` is of whole seconds. One of the future would have to be remembered for longer.
    guard (-min(max(leeway, 1), 5)...max(leeway, 1)).contains(now.timeIntervalSince(proof.issuedAt)) else {
      throw .invalidProof("The proof was made too long ago, or in the future (iat).")
    }
    try await spend(proof, until: proof.issuedAt.addingTimeInterval(max(leeway, 1) + 1))
    return fields
  }

  private func spend(_ proof: Proof, until expiry: Date) async throws(AccessTokenFault) {
    let isNew: Bool
    do {
      let name = Base64URL.sha256(of: "\(proof.thumbprint).\(proof.id)")
      if let replays {
        isNew = try await replays.insert(name, until: expiry)
      } else {
        isNew = try ownReplays.insert(name, of: proof.thumbprint, until: expiry)
      }
    } catch {
      throw AccessTokenFault(.unavailable, "Whether the proof was used before is unknown: the replay store failed.")
    }
    guard isNew else { throw .invalidProof("The proof was used before (jti).") }
  }

  /// A proof whose signature is that of the key in its header (RFC 9449 §4.2).
  private struct Proof {
    let thumbprint: String
    let id: String
    let method: String
    let url: String
    let issuedAt: Date
    let tokenHash: String?
    let nonce: String?

    init(_ text: String) throws(AccessTokenFault) {
      do throws(MalformedJSON) {
        let jws = try CompactJWS(text)
        guard let type = jws.header.type, type.equalsIgnoringCase("dpop+jwt"), !jws.header.isCritical,
          let algorithm = jws.header.algorithm,
          let header = Base64URL.decode(jws.signed.prefix { $0 != UInt8(ascii: ".") }),
          let jwk = try JSONObject(header).object("jwk"), let key = JSONWebKey(json: jwk)
        else { throw MalformedJSON() }
        thumbprint = try Self.thumbprint(of: JSONObject(jwk))
        guard key.isFor(algorithm), key.isValid(jws.signature, of: jws.signed, by: algorithm) else {
          throw MalformedJSON()
        }
        let claims = try JSONObject(jws.payload)
        guard let id = try claims.string("jti"), !id.isEmpty, let method = try claims.string("htm"),
          let url = try claims.string("htu"), let issuedAt = try claims.date("iat")
        else { throw MalformedJSON() }
        (self.id, self.method, self.url, self.issuedAt) = (id, method, url, issuedAt)
        tokenHash = try claims.string("ath")
        nonce = try claims.string("nonce")
      } catch {
        throw .invalidProof("The proof is no well-formed JWT that is signed by the public key in its header.")
      }
    }

    /// RFC 7638 §3.2, RFC 8037 §2. Throws if a private key was sent (RFC 9449 §4.3).
    private static func thumbprint(of jwk: JSONObject) throws(MalformedJSON) -> String {
      guard let type = try jwk.string("kty"), !privateMembers.contains(where: jwk.contains) else {
        throw MalformedJSON()
      }
      let required = ["EC": ["crv", "x", "y"], "OKP": ["crv", "x"], "RSA": ["e", "n"]][type] ?? []
      var members = ["kty": type]
      for name in required { members[name] = try jwk.string(name) }
      return Base64URL.thumbprint(of: members)
    }
  }
}

extension AccessTokenFault {
  fileprivate static func invalidProof(_ message: String) -> Self { Self(.invalidProof, message) }
}

/// Nonces that follow from the time and a secret, so that none is stored (RFC 9449 §8, §9).
struct RollingNonces: Sendable {
  static let period: TimeInterval = 150
  private let key: SymmetricKey

  init(_ secret: Secret) { key = SymmetricKey(data: Data(secret.reveal().utf8)) }

  func nonce(at date: Date) -> String { nonce(of: Self.step(date)) }

  /// In periods, 0 for the current nonce; nil for one that is not accepted. That of the next period is accepted too:
  /// another process of the server may have begun it.
  func age(of nonce: String, at date: Date) -> Int? {
    [0, 1, -1].first { self.nonce(of: Self.step(date) - $0).isSame(as: nonce) }
  }

  private static func step(_ date: Date) -> Int { Int((date.timeIntervalSince1970 / period).rounded(.down)) }

  private func nonce(of step: Int) -> String {
    Base64URL.encode(HMAC<SHA256>.authenticationCode(for: Data("DPoP nonce \(step)".utf8), using: key))
  }
}

extension URL {
  /// ``proofTarget`` with unreserved letters as such, without dot segments (RFC 9449 §4.3, RFC 3986 §6.2.2).
  fileprivate var normalProofTarget: String? {
    guard var parts = proofTarget.flatMap({ URLComponents(string: $0) }) else { return nil }
    let pieces = parts.percentEncodedPath.split(separator: "%", omittingEmptySubsequences: false)
    let path = pieces.dropFirst().reduce(into: String(pieces.first ?? "")) { path, piece in
      let scalar = UInt8(piece.prefix(2), radix: 16).map { Character(Unicode.Scalar($0)) } ?? "%"
      let isUnreserved = scalar.isASCII && (scalar.isLetter || scalar.isNumber || "-._~".contains(scalar))
      path += (isUnreserved ? String(scalar) : "%" + piece.prefix(2).uppercased()) + piece.dropFirst(2)
    }
    var segments: [Substring] = []
    for segment in path.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
      if segment == ".." { _ = segments.popLast() } else if segment != "." { segments.append(segment) }
    }
    // A dot segment at the end leaves the slash before it (RFC 3986 §5.2.4).
    if path.hasSuffix("/.") || path.hasSuffix("/..") { segments.append("") }
    parts.percentEncodedPath = "/" + segments.joined(separator: "/")
    return parts.string
  }
}

/// Remembers proofs in this process, until they expire and no more than it has room for. One key gets a sixteenth of it:
/// a client that fills its share leaves the others theirs.
final class InMemoryReplayStore: Sendable {
  struct Full: Error {}
  private struct Contents {
    var expiries: [String: (date: Date, key: String)] = [:]
    /// The number of proofs of each key.
    var counts: [String: Int] = [:]
    /// When the expired ones were last removed: a search through all of them for each request would be an attack.
    var cleanedAt: Duration?

    func isFull(for key: String, _ capacity: Int) -> Bool {
      expiries.count >= capacity || counts[key, default: 0] >= max(1, capacity / 16)
    }
  }

  private let clock: any AuthenticationClock
  private let capacity: Int
  private let contents = Mutex(Contents())

  init(clock: any AuthenticationClock, capacity: Int = 262_144) {
    self.clock = clock
    self.capacity = capacity
  }

  /// - Parameter key: the thumbprint of the key that made the proof.
  func insert(_ proof: String, of key: String, until expiry: Date) throws -> Bool {
    let (now, uptime) = (clock.now, clock.uptime)
    return try contents.withLock { contents in
      if contents.expiries[proof] != nil { return false }
      if contents.isFull(for: key, capacity), contents.cleanedAt.map({ uptime - $0 >= .seconds(1) }) ?? true {
        contents.cleanedAt = uptime
        contents.expiries = contents.expiries.filter { $0.value.date > now }
        contents.counts = contents.expiries.values.reduce(into: [:]) { $0[$1.key, default: 0] += 1 }
      }
      guard !contents.isFull(for: key, capacity) else { throw Full() }
      contents.expiries[proof] = (expiry, key)
      contents.counts[key, default: 0] += 1
      return true
    }
  }
}
