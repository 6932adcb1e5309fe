import AuthenticationData
import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Issuer {
  /// Validates an ID token with the issuer's keys (OpenID Connect Core §3.1.3.7).
  ///
  /// If no key of the set verifies it, metadata and keys are fetched again and the token is checked once more
  /// (§10.1.1), at most every 30 seconds. Of the expected algorithms, only those that the issuer says it signs with are
  /// accepted.
  ///
  /// - Parameter serverDate: the `Date` of the response that contained the token (UTC). If the token is valid by that
  ///   clock but not by this device's, the error is ``AuthenticationError/Code/clockSkewed``.
  func idToken(
    _ raw: RawIdentityToken, expecting expected: IDTokenExpectations, serverDate: Date? = nil
  ) async throws(AuthenticationError) -> IDToken {
    try await idToken(UnverifiedIDToken(raw), expecting: expected, serverDate: serverDate)
  }

  /// The same, for a token that is already parsed.
  func idToken(
    _ token: UnverifiedIDToken, expecting expected: IDTokenExpectations, serverDate: Date? = nil
  ) async throws(AuthenticationError) -> IDToken {
    let document = try await document.current()
    let keys = try await keys.current()
    do throws(AuthenticationError) {
      return try token.validated(by: keys.value, expecting: expected.limited(to: document.value), at: serverDate)
    } catch {
      guard error.check == .signature else { throw error }
      // The issuer may have changed its keys, their address, or how it signs.
      let newDocument = try await self.document.newer(than: document)
      let newKeys = try await self.keys.newer(than: keys)
      guard newDocument != nil || newKeys != nil else { throw error }
      return try token.validated(
        by: (newKeys ?? keys).value, expecting: expected.limited(to: (newDocument ?? document).value), at: serverDate)
    }
  }
}

extension IDTokenExpectations {
  /// Without the algorithms that the issuer does not sign with, if it publishes a list.
  fileprivate func limited(to metadata: IssuerMetadata) -> Self {
    guard let advertised = metadata.idTokenAlgorithms else { return self }
    var limited = self
    limited.algorithms = algorithms.filter { advertised.contains($0.description) }
    return limited
  }
}

extension UnverifiedIDToken {
  fileprivate func validated(
    by keys: JSONWebKeySet, expecting expected: IDTokenExpectations, at serverDate: Date?
  ) throws(AuthenticationError) -> IDToken {
    do throws(AuthenticationError) {
      return try validated(by: keys, expecting: expected)
    } catch {
      guard let serverDate, error.check == .lifetime || error.check == .authentication,
        let offset = expected.now.offset(from: serverDate, beyond: expected.tolerance)
      else { throw error }
      var corrected = expected
      corrected.now = serverDate
      guard (try? validated(by: keys, expecting: corrected)) != nil else { throw error }
      throw .clockSkewed(by: offset)
    }
  }
}
