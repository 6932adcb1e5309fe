import AuthenticationDomain
import AuthenticationTestingServers
import FlyingFox
import Foundation
import Synchronization

/// Serves the showcase on this machine, and to no other: on both of its loopback addresses, since a browser may take either
/// for `localhost`, and another user may listen on one that is left.
final class ShowcaseServer: Sendable {
  private let listeners = (ip4: LoopbackListener(), ip6: LoopbackListener())
  let showcase: Showcase
  let address: String

  /// Listens.
  ///
  /// - Parameter port: 0 for one that is free.
  /// - Throws: ``AuthenticationError/Code/invalidConfiguration`` for a port that is taken.
  init(port: UInt16) async throws(AuthenticationError) {
    // The product must know its own address before it can answer.
    let door = Door()
    let taken = try await Self.listen(on: port, listeners.ip4, listeners.ip6, door)
    let guarding = RequestGuard(port: taken)
    showcase = try await Showcase(at: guarding)
    address = guarding.origin + "/"
    await door.open(ShowcaseHandler(showcase: showcase, guarding: guarding))
  }

  func stop() async {
    await showcase.stop()
    await listeners.ip4.stop()
    await listeners.ip6.stop()
  }

  /// Returns the port, which is the same at both addresses.
  private static func listen(
    on port: UInt16, _ ip4: LoopbackListener, _ ip6: LoopbackListener, _ door: Door
  ) async throws(AuthenticationError) -> UInt16 {
    // One that is free at the first address may be taken at the second.
    for _ in 0..<(port == 0 ? 16 : 1) {
      guard let taken = try? await ip4.start(port: port, handler: door) else { break }
      if (try? await ip6.startOnIPv6(port: taken, handler: door)) != nil { return taken }
      await ip4.stop()
    }
    throw .portTaken(port)
  }
}

/// Lets nobody in before there is somebody to answer.
actor Door: HTTPHandler {
  private var handler: ShowcaseHandler?

  func open(_ handler: ShowcaseHandler) { self.handler = handler }

  nonisolated func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
    guard let handler = await handler else { return HTTPResponse(statusCode: .serviceUnavailable) }
    return try await handler.handleRequest(request)
  }
}

extension AuthenticationError {
  static func portTaken(_ port: UInt16) -> Self {
    Self(
      .invalidConfiguration, "Port \(port) of this machine cannot be listened on.",
      suggestion: "Choose another --port, or none.")
  }
}
