#if os(macOS) || os(Linux)
import AuthenticationDomain
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A socket that listens on 127.0.0.1, and on no other address of this machine (RFC 8252 §8.3).
final class ListeningSocket: Sendable {
  let descriptor: Int32
  let port: UInt16
  private let open = Once()

  /// Throws ``AuthenticationError/Code/redirectPortBusy`` if the port is taken.
  init(port: UInt16?) throws(AuthenticationError) {
    descriptor = try POSIXSocket.make()
    // Otherwise the port is busy for a minute after each sign-in (TIME_WAIT). It does not allow two simultaneous
    // listeners.
    POSIXSocket.allowReuse(descriptor)
    guard let bound = POSIXSocket.listen(descriptor, onLoopbackPort: port ?? 0) else {
      let reason = errno
      POSIXSocket.close(descriptor)
      throw .cannotListen(port, reason)
    }
    self.port = bound
  }

  deinit { close() }

  /// Nil if the browser has already disconnected. Throws if no more can be accepted: a retry would not help.
  func accept() throws(AuthenticationError) -> Int32? {
    if let connection = POSIXSocket.accept(descriptor) { return connection }
    let reason = errno
    if [EAGAIN, EWOULDBLOCK, EINTR, ECONNABORTED, EPROTO, ENETDOWN].contains(reason) { return nil }
    throw .cannotListen(port, reason)
  }

  /// Refuses every later connection; calling it again does nothing.
  func close() {
    open.perform {
      POSIXSocket.stopListening(descriptor)
      POSIXSocket.close(descriptor)
    }
  }
}

extension AuthenticationError {
  fileprivate static func cannotListen(_ port: UInt16?, _ reason: Int32) -> Self {
    Self(
      .redirectPortBusy,
      port.map { "Port \($0) of 127.0.0.1 cannot be listened on." } ?? "No port of 127.0.0.1 can be listened on.",
      suggestion: "Close the program that uses it, or use RedirectURI.loopback() without a port.",
      cause: Cause(domain: "errno", code: Int(reason)))
  }
}
#endif
