#if canImport(Network)
import Network

/// The network of an Apple device, as the system sees it.
package enum NetworkPath {
  /// Runs `act` each time the network becomes usable again, until the task is cancelled.
  package static func follow(_ act: @escaping @Sendable () -> Void) -> Task<Void, Never> {
    Task.detached {
      var wasUsable = true
      for await path in NWPathMonitor() {
        let isUsable = path.status == .satisfied
        if isUsable, !wasUsable { act() }
        wasUsable = isUsable
      }
    }
  }
}
#endif
