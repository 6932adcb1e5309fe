#if Tools
import AuthenticationDomain
import AuthenticationDomainTesting
import FlyingFox

/// Serves the state over HTTP: sees and processes a request at once, then responds as late as it is told to.
struct IdentityHandler: HTTPHandler {
  let state: AwaitableState<ServerState>
  let clock: any AuthenticationClock
  let latency: Duration
  let onCode: @Sendable (_ username: String, _ code: String) -> Void

  func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
    let recorded = try await LoopbackIdentityServer.RecordedRequest(request)
    guard let endpoint = LoopbackIdentityServer.Endpoint(path: recorded.path) else {
      return HTTPResponse(.error("not_found", status: 404))
    }
    let reply = state.update { $0.receive(recorded, on: endpoint, at: clock.now) }
    if let sent = reply.sent { onCode(sent.username, sent.code) }
    do {
      try await wait(before: reply, on: endpoint)
    } catch {
      return .cut
    }
    switch reply.fault {
    case .hang, .dropAfterProcessing: return .cut
    default: return HTTPResponse(reply.answer)
    }
  }

  private func wait(before reply: ServerState.Reply, on endpoint: LoopbackIdentityServer.Endpoint) async throws {
    if reply.fault == .hang {
      await state.wait { $0.faults[endpoint] != .hang }
    }
    let delay = (endpoint.isResource ? .zero : latency) + (reply.fault?.delay ?? .zero)
    if delay > .zero {
      try await Task.sleep(for: delay)
    }
    await state.wait { !$0.held.contains(endpoint) }
    try Task.checkCancellation()
  }
}
#endif
