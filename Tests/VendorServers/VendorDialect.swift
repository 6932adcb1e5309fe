#if Tools
import AuthenticationDomain
import AuthenticationTestingServers
import Foundation

/// How a vendor's service responds: a pure value.
protocol VendorDialect: Sendable {
  /// The vendor's name for the operation of a request; nil for a path that it does not have.
  func operation(_ request: VendorRequest) -> String?
  /// Processes a request whose operation is known.
  mutating func process(_ request: VendorRequest, _ operation: String, at now: Date) throws(VendorRefusal) -> Answer
  /// A refusal as the vendor writes it.
  func answer(_ refusal: VendorRefusal, to request: VendorRequest) -> Answer
  /// The refusal that a code usually comes with.
  func refusal(_ code: String) -> VendorRefusal
  /// Takes note of where the service is, as soon as it listens.
  mutating func begin(at origin: String)
}

extension VendorDialect {
  mutating func begin(at origin: String) {}
}

/// The error with which a vendor's service rejects a request.
struct VendorRefusal: Error {
  let code: String
  var status = 400
  var members: [String: JSONValue] = [:]
}
#endif
