import AuthenticationDomain
import AuthenticationTestingServers
import FlyingFox
import Foundation
import Synchronization

/// Serves the showcase on this machine, and to no other.
final class ShowcaseServer: Sendable {
  private let listener = LoopbackListener()
  let showcase: Showcase
  let address: String

  /// Listens.
  ///
  /// - Parameter port: 0 for one that is free.
  /// - Throws: ``AuthenticationError/Code/invalidConfiguration`` for a port that is taken.
  init(port: UInt16) async throws(AuthenticationError) {
    // The product must know its own address before it can answer.
    let door = Door()
    let taken: UInt16
    do {
      taken = try await listener.start(port: port, handler: door)
    } catch {
      throw .portTaken(port)
    }
    let guarding = RequestGuard(port: taken)
    showcase = try await Showcase(at: guarding)
    address = guarding.origin + "/"
    await door.open(ShowcaseHandler(showcase: showcase, guarding: guarding))
  }

  func stop() async {
    await showcase.stop()
    await listener.stop()
  }
}

/// Lets nobody in before there is somebody to answer.
private actor Door: HTTPHandler {
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
