import Foundation
import Synchronization

/// Stands between the clients and the server: remembers each secret that goes by, and spoils the exchanges that it is
/// told to.
///
/// It serves each connection on a separate thread.
package final class Wire: Sendable {
  /// The fault for a request with this path; nil leaves the exchange as it is.
  package typealias Choice = @Sendable (_ path: String) -> WireFault?

  private struct Contents {
    var listener: Socket
    var choose: Choice = { _ in nil }
    var secrets: Set<String> = []
    var faults = 0
  }

  package let port: UInt16
  private let upstream: UInt16
  private let contents: Mutex<Contents>

  package init(to upstream: UInt16) throws {
    let listener = try Socket(listeningOn: 0)
    port = listener.port
    self.upstream = upstream
    contents = Mutex(Contents(listener: listener))
    serve(listener)
  }

  package var url: String { "http://127.0.0.1:\(port)" }
  /// Every token the server has ever answered.
  package var secrets: Set<String> { contents.withLock { $0.secrets } }
  /// How often a fault was chosen.
  package var faults: Int { contents.withLock { $0.faults } }

  package func spoil(_ choose: @escaping Choice) {
    contents.withLock { $0.choose = choose }
  }

  /// Connections are refused until ``resume()``.
  package func refuse() {
    contents.withLock { $0.listener }.shutDown()
  }

  package func resume() throws {
    let listener = try Socket(listeningOn: port)
    contents.withLock { $0.listener = listener }
    serve(listener)
  }

  private func serve(_ listener: Socket) {
    Thread.detachNewThread { [self] in
      while let connection = listener.accepted() {
        Thread.detachNewThread { [self] in exchange(connection) }
      }
    }
  }

  private func exchange(_ connection: Socket) {
    guard let request = HTTPMessage(from: connection) else { return connection.close() }
    let fault = contents.withLock { contents in
      let fault = contents.choose(request.path)
      if fault != nil { contents.faults += 1 }
      return fault
    }
    if let fault, fault.endsBeforeProcessing(connection) { return }
    guard let answer = forward(request) else { return connection.close() }
    contents.withLock { $0.secrets.formUnion(answer.secrets) }
    if let fault { return fault.spoil(answer, on: connection) }
    connection.transmit(answer.data)
    connection.close()
  }

  private func forward(_ request: HTTPMessage) -> HTTPMessage? {
    guard let server = try? Socket(connectedTo: upstream) else { return nil }
    defer { server.close() }
    server.transmit(request.data)
    return HTTPMessage(from: server)
  }
}
