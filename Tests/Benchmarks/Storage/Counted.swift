import AuthenticationData
import AuthenticationDomain
import Foundation
import Synchronization

/// Counts the reads of the storage it passes on to.
final class CountedStorage: SecureStorage {
  private let upstream: any SecureStorage
  private let count = Atomic(0)

  init(_ upstream: any SecureStorage) { self.upstream = upstream }

  var reads: Int { count.load(ordering: .relaxed) }

  func read(_ key: String) throws(AuthenticationError) -> Data? {
    count.add(1, ordering: .relaxed)
    return try upstream.read(key)
  }

  func write(_ value: Data, for key: String) throws(AuthenticationError) { try upstream.write(value, for: key) }
  func delete(_ key: String) throws(AuthenticationError) { try upstream.delete(key) }
}

/// Counts the requests it is given, and answers none.
final class CountedHTTPClient: HTTPTransport {
  private let count = Atomic(0)

  var requests: Int { count.load(ordering: .relaxed) }

  func send(_ request: HTTPRequest) async throws(AuthenticationError) -> HTTPResponse {
    count.add(1, ordering: .relaxed)
    throw AuthenticationError(.unreachable, "A restore needs no network.")
  }
}
