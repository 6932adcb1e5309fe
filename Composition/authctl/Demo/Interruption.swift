import Dispatch
import Foundation

/// Hears from now on of a person or the system who asks the process to end, which it then no longer does by itself.
struct Interruption {
  private static let numbers = [SIGINT, SIGTERM]

  private let sources: [any DispatchSourceSignal]
  /// By their numbers.
  let signals: AsyncStream<Int32>

  init() {
    let (stream, continuation) = AsyncStream.makeStream(of: Int32.self)
    signals = stream
    sources = Self.numbers.map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { continuation.yield(number) }
      source.resume()
      return source
    }
  }

  /// From now on a signal ends the process again.
  func end() {
    for source in sources { source.cancel() }
    for number in Self.numbers { signal(number, SIG_DFL) }
  }
}
