#if Tools && OpenID
package import Foundation

extension IssuerState {
  package typealias Request = LoopbackOpenIDIssuer.RecordedRequest

  /// How to respond, and how late.
  struct Reply: Sendable {
    let endpoint: Endpoint?
    let answer: Answer
    let fault: LoopbackIdentityServer.Fault?
  }

  mutating func receive(_ request: Request, at clockNow: Date) -> Reply {
    let now = clockNow.addingTimeInterval(quirks.clockOffset / .seconds(1))
    let endpoint = endpoint(at: request.path)
    recorded.append((endpoint, request))
    guard let endpoint else {
      return Reply(endpoint: nil, answer: dated(.error("not_found", status: 404), now), fault: nil)
    }
    let fault = takeFault(on: endpoint, request)
    let answer = fault?.standIn ?? process(request, on: endpoint, at: now)
    return Reply(
      endpoint: endpoint, answer: dated(fault?.usual?.spoil(answer) ?? answer, now), fault: fault?.usual)
  }

  /// With the issuer's path, except where RFC 8414 §3.1 puts it last.
  package func path(of endpoint: Endpoint) -> String {
    let root = options.path.hasSuffix("/") ? String(options.path.dropLast()) : options.path
    if endpoint == .oauthMetadata { return endpoint.rawValue + root }
    if endpoint == .discovery || endpoint.isResource { return root + endpoint.rawValue }
    return root + (quirks.doublesSlashes ? "/" : "") + (options.paths[endpoint] ?? endpoint.rawValue)
  }

  package func endpoint(at path: String) -> Endpoint? { Endpoint.allCases.first { self.path(of: $0) == path } }

  func url(of endpoint: Endpoint) -> String { origin + path(of: endpoint) }

  private mutating func takeFault(on endpoint: Endpoint, _ request: Request) -> LoopbackOpenIDIssuer.Fault? {
    let grant = endpoint == .token ? request.form["grant_type"].map(FaultPoint.grant) : nil
    for point in [grant, .endpoint(endpoint)].compactMap(\.self) {
      guard let planned = faults[point] else { continue }
      faults[point]?.remaining -= 1
      if planned.remaining <= 1 { faults[point] = nil }
      return planned.fault
    }
    return nil
  }

  private func dated(_ answer: Answer, _ now: Date) -> Answer {
    quirks.sendsDate ? answer.adding("Date", DateHeader.text(now)) : answer
  }

  package mutating func process(_ request: Request, on endpoint: Endpoint, at now: Date) -> Answer {
    guard endpoint.methods.contains(request.method) else { return .error("method_not_allowed", status: 405) }
    return switch endpoint {
    case .discovery: .json(metadata.replacing(quirks.openIDMetadata).text)
    case .oauthMetadata: .json(metadata.text)
    case .keys: keySet
    case .authorization: authorize(request, at: now)
    case .device: devicePage(request)
    case .token: token(request, at: now)
    case .pushedAuthorization: push(request, at: now)
    case .deviceAuthorization: startDevice(request, at: now)
    case .userInfo: userInfo(request, at: now)
    case .introspection: introspect(request, at: now)
    case .revocation: revoke(request, at: now)
    case .endSession: endSession(request)
    case .resource, .strongResource, .scopedResource: serve(request, on: endpoint, at: now)
    }
  }
}
#endif
