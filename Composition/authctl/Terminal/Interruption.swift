import Dispatch
import Foundation

/// The signals by which a user or the system asks the process to end, which from now on no longer end it.
package struct Interruption {
  private static let numbers = [SIGINT, SIGTERM]

  private let sources: [any DispatchSourceSignal]
  /// By their numbers.
  package let signals: AsyncStream<Int32>

  package init() {
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
  package func end() {
    for source in sources { source.cancel() }
    for number in Self.numbers { signal(number, SIG_DFL) }
  }
}
