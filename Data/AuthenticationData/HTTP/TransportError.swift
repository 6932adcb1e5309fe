import AuthenticationDomain
import Foundation
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension AuthenticationError {
  /// The system could not give a client memory or a descriptor.
  static func outOfResources() -> Self {
    Self(
      .unreachable, "This process has no memory or descriptors left for a connection; nothing was sent.",
      suggestion: "Try again later, and use fewer connections at once.")
  }

  static func answerTooLarge(_ limit: Int) -> Self {
    Self(
      .answerTooLarge, "The answer is longer than \(limit) bytes; it was not read to its end.",
      suggestion: "Check what the server answers, or allow a larger body.")
  }

  static func timedOut(_ origin: Origin, _ cause: Cause? = nil) -> Self {
    Self(
      .timedOut, "\(origin) did not answer in time.", suggestion: "Try again; a session that exists is kept.",
      cause: cause)
  }

  static func headTooLarge(_ origin: Origin) -> Self {
    Self(
      .answerTooLarge, "The head of the response from \(origin) is longer than 64 KiB or 200 fields.",
      suggestion: "Check what the server sends.")
  }

  static func unreachable(_ origin: Origin, _ cause: Cause? = nil) -> Self {
    Self(
      .unreachable, "\(origin) cannot be reached; it has not seen the request.",
      suggestion: "Try again when there is a connection.", cause: cause)
  }

  static func connectionLost(_ origin: Origin, _ cause: Cause? = nil) -> Self {
    Self(
      .connectionLost, "The connection to \(origin) broke before the answer was complete.",
      suggestion: "The server may have processed the request.", cause: cause)
  }

  static func untrusted(_ origin: Origin, _ cause: Cause? = nil) -> Self {
    Self(
      .insecureConnection, "No trusted TLS connection to \(origin) could be made.",
      suggestion: "Check the server's certificate and this device's clock.", cause: cause)
  }

  static func unreadable(_ origin: Origin, _ cause: Cause? = nil) -> Self {
    Self(
      .invalidRequest, "Not sent to \(origin): the URL cannot be read.", suggestion: "Check where it comes from.",
      cause: cause)
  }

  /// Classifies URLSession's error, whose own message contains the whole URL and is dropped.
  static func transport(_ error: (any Error)?, to origin: Origin) -> Self {
    let code = (error as? URLError)?.code
    let cause = code.map { Cause(domain: "URLError", code: $0.rawValue) }
    switch code {
    case .cancelled: return .cancelled
    case .timedOut: return .timedOut(origin, cause)
    case .cannotFindHost, .cannotConnectToHost, .dnsLookupFailed, .notConnectedToInternet, .dataNotAllowed,
      .internationalRoamingOff:
      return .unreachable(origin, cause)
    case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
      .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
      .clientCertificateRequired, .appTransportSecurityRequiresSecureConnection:
      return .untrusted(origin, cause)
    // On Linux, libcurl's certificate errors arrive as an unknown error.
    case .unknown where error?.localizedDescription.contains("certificate") == true:
      return .untrusted(origin, cause)
    default:
      return .connectionLost(origin, cause)
    }
  }
}
