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
  /// Where no key of the set verifies it, the set is fetched anew and the token tried once more (§10.1.1), at most every
  /// 30 seconds. Of the expected algorithms only those count that the issuer says it signs with, where it says so.
  ///
  /// - Parameter serverDate: the `Date` of the answer that brought the token (UTC). Where the token would be good by that
  ///   clock and is not by this device's, the error is ``AuthenticationError/Code/clockSkewed``.
  func idToken(
    _ raw: RawIdentityToken, expecting expectations: IDTokenExpectations, serverDate: Date? = nil
  ) async throws(AuthenticationError) -> IDToken {
    let token = try UnverifiedIDToken(raw)
    var expected = expectations
    if let advertised = try await metadata().idTokenAlgorithms {
      expected.algorithms = expected.algorithms.filter { advertised.contains($0.description) }
    }
    let keys = try await keys.current()
    do throws(AuthenticationError) {
      return try token.validated(by: keys.value, expecting: expected, serverDate: serverDate)
    } catch {
      guard error.check == .signature, let newer = try await self.keys.newer(than: keys) else { throw error }
      return try token.validated(by: newer.value, expecting: expected, serverDate: serverDate)
    }
  }
}

extension UnverifiedIDToken {
  fileprivate func validated(
    by keys: JSONWebKeySet, expecting expected: IDTokenExpectations, serverDate: Date?
  ) throws(AuthenticationError) -> IDToken {
    do throws(AuthenticationError) {
      return try validated(by: keys, expecting: expected)
    } catch {
      guard let serverDate, error.check == .lifetime || error.check == .authentication else { throw error }
      let offset = Duration.seconds(expected.now.timeIntervalSince(serverDate))
      guard max(offset, .zero - offset) > expected.tolerance else { throw error }
      var corrected = expected
      corrected.now = serverDate
      guard (try? validated(by: keys, expecting: corrected)) != nil else { throw error }
      throw .clockSkewed(by: offset)
    }
  }
}

extension AuthenticationError {
  /// - Parameter offset: how far this device's clock is ahead of the issuer's.
  fileprivate static func clockSkewed(by offset: Duration) -> Self {
    let seconds = offset.components.seconds
    var error = Self(
      .clockSkewed,
      "This device's clock is \(abs(seconds)) seconds \(seconds < 0 ? "behind" : "ahead of") the issuer's.",
      suggestion: "Set the device's clock, or allow more in OpenIDClient.clockTolerance.")
    error.clockOffset = offset
    return error
  }
}
