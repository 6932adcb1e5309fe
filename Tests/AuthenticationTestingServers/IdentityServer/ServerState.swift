#if Tools
import Foundation

/// Everything the server knows. One `receive` sees, processes and counts a request at once.
struct ServerState: Sendable {
  typealias Endpoint = LoopbackIdentityServer.Endpoint
  typealias Fault = LoopbackIdentityServer.Fault
  typealias RecordedRequest = LoopbackIdentityServer.RecordedRequest

  static let recordedRequestsPerEndpoint = 100

  var ledger: IdentityLedger
  var counters = LoopbackIdentityServer.Counters()
  var faults: [Endpoint: Fault] = [:]
  var held: Set<Endpoint> = []
  var recorded: [Endpoint: [RecordedRequest]] = [:]
  var baseURL: URL?

  /// How to respond, and when.
  struct Reply: Sendable {
    let answer: Answer
    let fault: Fault?
    /// The code that was sent meanwhile.
    let sent: SentCode?
  }

  mutating func receive(_ request: RecordedRequest, on endpoint: Endpoint, at now: Date) -> Reply {
    record(request, on: endpoint)
    let fault = faults[endpoint]
    let last = ledger.lastCode
    let answer = fault?.standIn ?? process(request, on: endpoint, at: now)
    let sent = ledger.sentCodes.values.first { $0.number > last }
    if fault != .hang { count(answer, on: endpoint) }
    return Reply(answer: fault?.spoil(answer) ?? answer, fault: fault, sent: sent)
  }

  mutating func resetCounters() {
    counters = LoopbackIdentityServer.Counters()
    recorded = [:]
  }

  private mutating func record(_ request: RecordedRequest, on endpoint: Endpoint) {
    counters.requests[endpoint, default: 0] += 1
    recorded[endpoint, default: []].append(request)
    if recorded[endpoint, default: []].count > Self.recordedRequestsPerEndpoint {
      recorded[endpoint]?.removeFirst()
    }
  }

  private mutating func count(_ answer: Answer, on endpoint: Endpoint) {
    guard endpoint.isResource else { return }
    if (200...299).contains(answer.status) { counters.resourceCallsAnswered += 1 }
    if answer.status == 401 { counters.resourceCallsUnauthorized += 1 }
  }
}
#endif
