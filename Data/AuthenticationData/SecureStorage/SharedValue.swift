package import AuthenticationDomain
package import Foundation

/// One value of a storage that several processes read and change.
package struct SharedValue: Sendable {
  private let storage: any SecureStorage
  private let key: String
  private let lock: any BlockingLock
  private let signal: ChangeSignal

  /// - Parameters:
  ///   - storage: holds the value.
  ///   - key: of the value.
  ///   - lock: held during each change.
  ///   - signal: notifies of each change.
  package init(_ storage: any SecureStorage, key: String, lock: any BlockingLock, signal: ChangeSignal) {
    self.storage = storage
    self.key = key
    self.lock = lock
    self.signal = signal
  }

  package func read() throws(AuthenticationError) -> Data? { try storage.read(key) }

  /// Reads the value and writes it again, with no change by another process in between; nil writes nothing.
  ///
  /// - Throws: ``AuthenticationError/storageUnavailable`` also if another process holds the lock for 2 seconds.
  package func update<Result>(
    _ change: (Data?) throws(AuthenticationError) -> (value: Data?, result: Result)
  ) throws(AuthenticationError) -> Result {
    try lock.acquire(within: .seconds(2))
    defer { lock.release() }
    let (value, result) = try change(storage.read(key))
    if let value {
      defer { signal.raise() }
      try storage.write(value, for: key)
    }
    return result
  }

  /// An element after each change, and once a storage that was locked is open; nil if changes cannot be observed now.
  package func changes() -> AsyncStream<Void>? { signal.changes().map { $0.merged(with: storage.unlockSignals()) } }
}

extension AsyncStream<Void> {
  /// The elements of both, of which the latest is kept; ends with this one.
  package func merged(with other: AsyncStream<Void>?) -> AsyncStream<Void> {
    guard let other else { return self }
    let (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    let tasks = [
      Task.detached {
        for await _ in self { continuation.yield() }
        continuation.finish()
      },
      Task.detached { for await _ in other { continuation.yield() } },
    ]
    continuation.onTermination = { _ in for task in tasks { task.cancel() } }
    return stream
  }
}
