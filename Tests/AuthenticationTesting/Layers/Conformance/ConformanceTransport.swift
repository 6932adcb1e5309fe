import AuthenticationData
import AuthenticationDomain
import AuthenticationDomainTesting

/// Responds to each request as planned, in order, the last plan for all that follow; and a document whenever it is
/// asked for.
final class ConformanceTransport: HTTPClient {
  enum Plan: Sendable {
    case answer(HTTPResponse)
    case fail(AuthenticationError)
    /// No response, until the call is cancelled.
    case hold
  }

  private struct Contents: Sendable {
    var plans: [Plan]
    var sent: [HTTPRequest] = []
    var isHeld = false
    var isCancelled = false
    var isReleased = false
    var hasCallEnded = false
  }

  private let contents: AwaitableState<Contents>
  private let documents: [ProviderScript.Exchange]

  init(_ plans: [Plan], documents: [ProviderScript.Exchange]) {
    contents = AwaitableState(Contents(plans: plans))
    self.documents = documents
  }

  /// Every request so far but those for documents.
  var sent: [HTTPRequest] { contents.value.sent }
  /// Whether a request was held.
  var isHeld: Bool { contents.value.isHeld }
  /// Whether the task of a held request was cancelled.
  var isCancelled: Bool { contents.value.isCancelled }

  func send(_ request: HTTPRequest) async throws(AuthenticationError) -> HTTPResponse {
    let written = request.written
    if let document = documents.first(where: { $0.request == written }) { return document.response }
    if Task.isCancelled { throw .cancelled }
    let plan = contents.update { contents -> Plan? in
      contents.sent.append(request)
      return contents.plans.count > 1 ? contents.plans.removeFirst() : contents.plans.first
    }
    switch plan {
    case .answer(let response): return response
    case .fail(let error): throw error
    case .hold: throw await hold()
    case nil: throw .connectionLost
    }
  }

  private func hold() async -> AuthenticationError {
    await withTaskCancellationHandler {
      contents.update { $0.isHeld = true }
      await contents.wait { $0.isReleased }
    } onCancel: {
      contents.update { $0.isCancelled = true }
    }
    return Task.isCancelled ? .cancelled : .connectionLost
  }

  /// Loses the connection of a held request.
  func release() { contents.update { $0.isReleased = true } }

  func endCall() { contents.update { $0.hasCallEnded = true } }

  /// Returns as soon as a request is held, or the call has ended without one.
  func waitForHold() async { await contents.wait { $0.isHeld || $0.hasCallEnded } }
}

extension ConformanceTransport: CustomReflectable {
  var customMirror: Mirror { Mirror(self, children: []) }
}
