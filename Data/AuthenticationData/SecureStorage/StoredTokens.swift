import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The fields of one session's tokens, as they are read.
struct StoredTokens {
  private var access: String?
  private var type: String?
  private var receivedAt: String?
  private var lifetime: String?
  private var clockOffset: String?
  private var scopes: [String] = []
  private var refresh: String?
  private var identity: String?
  private var proofKey: String?

  var isEmpty: Bool { access == nil }

  mutating func take(_ name: String, _ value: String) {
    switch name {
    case "access": access = value
    case "type": type = value
    case "received-at": receivedAt = value
    case "lifetime": lifetime = value
    case "clock-offset": clockOffset = value
    case "scope": scopes.append(value)
    case "refresh": refresh = value
    case "identity": identity = value
    case "proof-key": proofKey = value
    default: break
    }
  }

  func tokens() throws -> SessionTokens {
    guard let access, let type, let receivedAt else { throw StoredRecord.Incomplete() }
    return SessionTokens(
      access: try AccessToken(
        Secret(access), type: type, receivedAt: try StoredRecord.date(receivedAt),
        lifetime: try lifetime.map(Self.seconds),
        scopes: scopes, clockOffset: try clockOffset.map(Self.seconds)),
      refresh: refresh.map { RefreshToken(Secret($0)) }, identity: identity.map { RawIdentityToken(Secret($0)) },
      proofKey: proofKey.map { ProofKey(Secret($0)) })
  }

  private static func seconds(_ text: String) throws -> Duration {
    guard let seconds = Int64(text) else { throw StoredRecord.Incomplete() }
    return .seconds(seconds)
  }
}

extension StoredFields.Writer {
  mutating func add(_ tokens: SessionTokens) {
    add("access", tokens.access.value.reveal())
    add("type", tokens.access.type)
    add("received-at", String(tokens.access.receivedAt.timeIntervalSinceReferenceDate))
    add("lifetime", tokens.access.lifetime.map { String($0.components.seconds) })
    add("clock-offset", tokens.access.clockOffset.map { String($0.components.seconds) })
    for scope in tokens.access.scopes { add("scope", scope) }
    add("refresh", tokens.refresh?.value.reveal())
    add("identity", tokens.identity?.value.reveal())
    add("proof-key", tokens.proofKey?.value.reveal())
  }
}
