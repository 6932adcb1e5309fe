package import AuthenticationDomain

/// A port of 127.0.0.1 that a redirect is registered with.
package enum LoopbackPort {
  /// Below the ports that the system gives to connections (Linux: 32,768 and more, Apple's: 49,152 and more): the port
  /// stays registered, and a connection of any program could have it at the next sign-in.
  private static let registered: Range<UInt16> = 20_000..<32_768

  /// Returns a port that is free now.
  ///
  /// - Parameter port: this one; nil for any.
  /// - Throws: ``AuthenticationError/redirectPortBusy`` if it is not free, and where no program can listen for a browser.
  package static func free(_ port: UInt16?) throws(AuthenticationError) -> UInt16 {
    #if os(macOS) || os(Linux)
    for _ in 1...20 where port == nil {
      if let socket = try? ListeningSocket(port: registered.randomElement()) { return socket.port }
    }
    return try ListeningSocket(port: port).port
    #else
    throw .redirectPortBusy
    #endif
  }
}
