#if Tools
import AuthenticationDomain
import AuthenticationDomainTesting
import AuthenticationTestingServers
import FlyingFox
/// Serves a dialect over HTTP: sees and processes a request at once, then responds as late as it is told to.
struct VendorHandler<Dialect: VendorDialect>: HTTPHandler {
  let dialect: AwaitableState<Dialect>
  let traffic: VendorTraffic
  let clock: any AuthenticationClock

  func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
    let request = VendorRequest(try await VendorTraffic.RecordedRequest(request))
    let operation = dialect.value.operation(request)
    let fault = traffic.receive(request.recorded, on: operation)
    guard let operation else { return HTTPResponse(.error("not_found", status: 404)) }
    let answer = dialect.update { dialect in
      if let answer = fault?.standIn({ dialect.answer(dialect.refusal($0), to: request) }) { return answer }
      do throws(VendorRefusal) {
        return try dialect.process(request, operation, at: clock.now)
      } catch {
        return dialect.answer(error, to: request)
      }
    }
    do { try await traffic.wait(before: fault, on: operation) } catch { return .cut }
    return switch fault?.usual {
    case .hang, .dropAfterProcessing: .cut
    case let usual: HTTPResponse(usual?.spoil(answer) ?? answer)
    }
  }
}
#endif
