#if Tools && OpenID
import AuthenticationDomain
import AuthenticationDomainTesting
import FlyingFox

/// Serves the state over HTTP: sees and processes a request at once, then responds as late as it is told to.
struct IssuerHandler: HTTPHandler {
  let state: AwaitableState<IssuerState>
  let clock: any AuthenticationClock

  func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
    let recorded = try await LoopbackOpenIDIssuer.RecordedRequest(request)
    let reply = state.update { $0.receive(recorded, at: clock.now) }
    guard let endpoint = reply.endpoint else { return HTTPResponse(reply.answer) }
    do {
      if reply.fault == .hang {
        await state.wait { $0.faults[.endpoint(endpoint)]?.fault.usual != .hang }
      }
      if let delay = reply.fault?.delay, delay > .zero { try await Task.sleep(for: delay) }
      await state.wait { !$0.held.contains(endpoint) }
      try Task.checkCancellation()
    } catch {
      return .cut
    }
    return switch reply.fault {
    case .hang, .dropAfterProcessing: .cut
    default: HTTPResponse(reply.answer)
    }
  }
}
#endif
