import AuthenticationDomain

/// The issuer, the subject and the audience that an ID token names (OpenID Connect Core §2).
struct IDTokenParties: Sendable, Redacted {
  let issuer: String?
  /// Nil if it is unknown.
  let subject: String?
  let audiences: [String]

  init(issuer: String?, subject: String?, audiences: [String]) {
    self.issuer = issuer
    self.subject = subject
    self.audiences = audiences
  }

  /// As named by the token itself, whatever its header and its signature; nil if its claims cannot be read. A claim of
  /// the wrong type names nothing.
  init?(unverified raw: RawIdentityToken) {
    let segments = raw.value.reveal().utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard segments.count > 1, segments[1].count <= CompactJWS.maximumSize,
      let payload = Base64URL.decode(Array(segments[1])[...]), let claims = try? JSONObject(payload)
    else { return nil }
    issuer = (try? claims.string("iss")) ?? nil
    subject = (try? claims.string("sub")) ?? nil
    audiences = ((try? claims.strings("aud", orOne: true)) ?? nil) ?? []
  }

  /// Checks that the ID token of a refresh names the parties of the sign-in (OpenID Connect Core §12.2). Throws
  /// ``AuthenticationError/Code/security`` with ``SecurityCheck/issuer``, ``SecurityCheck/subject`` or
  /// ``SecurityCheck/audience``.
  ///
  /// - Parameters:
  ///   - trusted: audiences that may be named in addition.
  ///   - aliases: spellings of one issuer.
  func checkContinue(
    _ original: Self, trusting trusted: Set<String>, aliases: Set<String>
  ) throws(AuthenticationError) {
    let isAlias = [issuer, original.issuer].allSatisfy { $0.map(aliases.hasSame) ?? false }
    guard isAlias || issuer.isSame(as: original.issuer) else {
      throw .refused(by: .issuer, "The refreshed ID token is of another issuer than the one of the sign-in.")
    }
    guard original.subject == nil || subject.isSame(as: original.subject) else {
      throw .refused(by: .subject, "The refreshed ID token is about somebody else than the one of the sign-in.")
    }
    guard original.audiences.allSatisfy({ audiences.hasSame(as: $0) }),
      audiences.allSatisfy({ original.audiences.hasSame(as: $0) || trusted.hasSame(as: $0) })
    else {
      throw .refused(by: .audience, "The refreshed ID token has other audiences than the one of the sign-in.")
    }
  }
}

extension IDTokenClaims {
  var parties: IDTokenParties { IDTokenParties(issuer: issuer, subject: subject, audiences: audiences) }
}
