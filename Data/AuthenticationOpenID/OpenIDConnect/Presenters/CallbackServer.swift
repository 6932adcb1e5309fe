#if os(macOS) || os(Linux)
import AuthenticationDomain
import Foundation

/// The thread of a ``CallbackListener``: waits only for its socket, its connections and its wake-up call. It ends with
/// the attempt's callback, or as soon as there is another result.
struct CallbackServer: Sendable {
  private let socket: ListeningSocket
  private let alarm: WakeUp
  private let expectation: CallbackExpectation
  private let answer: OneShotCallback
  /// Opened when the port is free and every connection has ended.
  private let closed: Latch
  private let clock: any AuthenticationClock
  private let notice: @Sendable (AuthenticationError) -> Void

  /// The timeout of a connection for its request.
  static let patience: Duration = .seconds(10)
  /// One more connection ends the oldest one.
  static let mostConnections = 32

  init(
    _ socket: ListeningSocket, _ alarm: WakeUp, expecting expectation: CallbackExpectation,
    answering answer: OneShotCallback, closing closed: Latch, clock: any AuthenticationClock,
    noticing notice: @escaping @Sendable (_ ignored: AuthenticationError) -> Void
  ) {
    self.socket = socket
    self.alarm = alarm
    self.expectation = expectation
    self.answer = answer
    self.closed = closed
    self.clock = clock
    self.notice = notice
  }

  func run() {
    var connections: [CallbackConnection] = []
    defer {
      for connection in connections { connection.close() }
      socket.close()
      closed.open()
    }
    while !answer.isAnswered {
      let ready = Polling.wait(for: [alarm.descriptor, socket.descriptor] + connections.map(\.descriptor))
      if ready.contains(alarm.descriptor) { alarm.quieten() }
      for index in connections.indices where ready.contains(connections[index].descriptor) {
        switch connections[index].advance(expectation, noticing: notice) {
        case .callback(let url, _): answer.answer(.success(url))
        case .overlong: answer.answer(.failure(.overlongRedirect))
        case .refused, .ignored, nil: continue
        }
        return
      }
      let now = clock.uptime
      close(&connections) { $0.isOver || $0.startedAt + Self.patience <= now }
      guard ready.contains(socket.descriptor) else { continue }
      do throws(AuthenticationError) {
        guard let descriptor = try socket.accept() else { continue }
        if connections.count == Self.mostConnections { connections.removeFirst().close() }
        connections.append(CallbackConnection(descriptor: descriptor, startedAt: now))
      } catch {
        answer.answer(.failure(error))
      }
    }
  }

  private func close(_ connections: inout [CallbackConnection], where isOver: (CallbackConnection) -> Bool) {
    for connection in connections where isOver(connection) { connection.close() }
    connections.removeAll(where: isOver)
  }
}
#endif
