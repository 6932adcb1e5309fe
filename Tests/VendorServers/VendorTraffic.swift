#if Tools
import AuthenticationDomainTesting
package import AuthenticationTestingServers

/// The requests to a vendor's loopback server that a test sees, and the faults that it plans for them. Operations have
/// the vendor's names, such as `signUp` or `token refresh_token`.
///
/// ```swift
/// server.traffic.set(.error("USER_DISABLED"), on: "token", times: 1)
/// ```
package final class VendorTraffic: Sendable {
  /// A request as it arrived; its description shows neither headers nor the body.
  package typealias RecordedRequest = LoopbackIdentityServer.RecordedRequest

  struct Contents: Sendable {
    var recorded: [(operation: String?, request: RecordedRequest)] = []
    var faults: [String: (fault: VendorFault, remaining: Int)] = [:]
    var held: Set<String> = []
  }

  let contents = AwaitableState(Contents())

  /// Makes the operation misbehave: for so many requests, or until another fault or nil is set.
  package func set(_ fault: VendorFault?, on operation: String, times: Int = .max) {
    contents.update { $0.faults[operation] = fault.map { ($0, times) } }
  }

  /// From now on requests of the operation are processed, but their responses wait for ``release(_:)``.
  package func hold(_ operation: String) {
    contents.update { _ = $0.held.insert(operation) }
  }

  /// Sends the responses that ``hold(_:)`` kept back.
  package func release(_ operation: String) {
    contents.update { _ = $0.held.remove(operation) }
  }

  /// Every request of the operation so far, the oldest first.
  package func requests(on operation: String) -> [RecordedRequest] {
    contents.value.recorded.filter { $0.operation == operation }.map(\.request)
  }

  /// The operations that were asked for so far, in order; nil for a path that the vendor does not have.
  package var operations: [String?] { contents.value.recorded.map(\.operation) }

  /// Returns as soon as the operation was asked for so often (or the task is cancelled).
  package func waitForRequest(on operation: String, count: Int = 1) async {
    await contents.wait { $0.recorded.count { $0.operation == operation } >= count }
  }

  /// Records the request, and takes the fault that is planned for it.
  func receive(_ request: RecordedRequest, on operation: String?) -> VendorFault? {
    contents.update { contents in
      contents.recorded.append((operation, request))
      guard let operation, let planned = contents.faults[operation] else { return nil }
      let isLast = planned.remaining <= 1 && planned.fault.usual != .hang
      contents.faults[operation] = isLast ? nil : (planned.fault, planned.remaining - 1)
      return planned.fault
    }
  }

  /// Waits as long as the fault and a hold say.
  func wait(before fault: VendorFault?, on operation: String) async throws {
    if fault?.usual == .hang { await contents.wait { $0.faults[operation]?.fault.usual != .hang } }
    if let delay = fault?.usual?.delay, delay > .zero { try await Task.sleep(for: delay) }
    await contents.wait { !$0.held.contains(operation) }
    try Task.checkCancellation()
  }
}
#endif
