public struct NWPath: Sendable {
  public enum Status: Sendable { case satisfied, unsatisfied, requiresConnection }

  public let status: Status
}

public final class NWPathMonitor: AsyncSequence, Sendable {
  public struct AsyncIterator: AsyncIteratorProtocol {
    public mutating func next() async -> NWPath? { nil }
  }

  public init() {}
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator() }
}
