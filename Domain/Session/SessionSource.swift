#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Gives requests a session whose access token is valid.
public protocol SessionSource: Sendable {
  /// A session whose access token is valid, renewed first where it must be.
  ///
  /// - Parameter rejected: the access token a resource has just refused with 401; it is not given again.
  func validSession(rejecting rejected: AccessToken?) async throws(AuthenticationError) -> AuthSession

  /// Learns what time it is from the answer of a server (UTC), which is asked for it only where that is of use.
  func noteServerDate(_ date: () -> Date?)
}

extension SessionSource {
  public func noteServerDate(_ date: () -> Date?) {}

  /// A session whose access token is valid, where no resource has refused one.
  public func validSession() async throws(AuthenticationError) -> AuthSession {
    try await validSession(rejecting: nil)
  }
}
