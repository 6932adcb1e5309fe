import AuthenticationData
import AuthenticationDomain

/// A code for a person to type on another device, and how to poll for the result (RFC 8628 §3.2).
struct DeviceAuthorization: Sendable {
  let code: Secret
  let prompt: DeviceSignIn.Prompt
  /// The least time between two polls.
  let interval: Duration
}

extension DeviceAuthorization {
  /// Polls until the person has decided, and returns the response that says so (RFC 8628 §3.4, §3.5).
  ///
  /// Each failed poll, an outage included, doubles the wait until one succeeds: giving up would make the person, who is
  /// busy on the other device, begin again. When the code has expired, by uptime from `start`, it throws
  /// ``AuthenticationError/Code/signInExpired``, or the outage that lasted until then. Also throws
  /// ``AuthenticationError/Code/cancelled``.
  func answer(
    from endpoint: TokenEndpoint, provenBy key: ProofKey?, since start: Duration
  ) async throws(AuthenticationError) -> HTTPResponse {
    let clock = endpoint.environment.clock
    let deadline = start + prompt.lifetime
    let grant = FormBody([
      "grant_type": "urn:ietf:params:oauth:grant-type:device_code", "device_code": code.reveal(),
    ])
    var interval = interval
    var patience = 1
    var asked: Duration?
    var outage: AuthenticationError?
    while true {
      let left = deadline - clock.uptime
      do { try await clock.sleep(for: min(max(interval * patience, asked ?? .zero), left)) } catch { throw .cancelled }
      guard clock.uptime < deadline else { throw outage ?? .deviceCodeExpired }
      asked = nil
      let response: HTTPResponse
      do throws(AuthenticationError) {
        response = try await endpoint.send(grant, provenBy: key)
      } catch {
        guard [.timedOut, .connectionLost, .unreachable].contains(error.code) else { throw error }
        outage = error
        patience *= 2
        continue
      }
      switch OAuthErrorResponseMapper.code(of: response) {
      case "authorization_pending": break
      case "slow_down": interval += .seconds(5)
      default:
        guard response.status == 429 || (500...599).contains(response.status) else { return response }
        outage = OAuthErrorResponseMapper.map(response, now: clock.now)
        patience *= 2
        asked = response.retryAfter(now: clock.now)
        continue
      }
      outage = nil
      patience = 1
      asked = response.retryAfter(now: clock.now)
    }
  }
}
