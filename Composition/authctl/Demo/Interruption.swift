import Dispatch
import Foundation

/// Waits until a person or the system asks the process to end.
enum Interruption {
  static func wait() async {
    let signals = [SIGINT, SIGTERM]
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    let sources = signals.map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { continuation.yield() }
      source.resume()
      return source
    }
    for await _ in stream { break }
    for source in sources { source.cancel() }
  }
}
