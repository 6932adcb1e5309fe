import Dispatch
import Foundation

/// Hears from now on of a person or the system who asks the process to end.
struct Interruption {
  private let sources: [any DispatchSourceSignal]
  private let signals: AsyncStream<Void>

  init() {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    signals = stream
    sources = [SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { continuation.yield() }
      source.resume()
      return source
    }
  }

  func wait() async {
    for await _ in signals { break }
    for source in sources { source.cancel() }
  }
}
