import AuthenticationData
import AuthenticationDomain
import Foundation

/// A code for a user to type on another device, and how to poll for the result (RFC 8628 §3.2).
struct DeviceAuthorization: Sendable {
  let code: Secret
  /// The code and the address to show to the user.
  let prompt: ExternalInteraction
  /// How long the code is valid.
  let lifetime: Duration
  /// The least time between two polls.
  let interval: Duration

  /// Polls until the user has decided, and returns the response that says so (RFC 8628 §3.4, §3.5).
  ///
  /// Each failed poll, an outage included, doubles the wait until one succeeds: giving up would make the user, who is
  /// busy on the other device, begin again. When the code has expired, by uptime from `start`, it throws
  /// ``AuthenticationError/signInExpired``, or the outage that lasted until then. Also throws
  /// ``AuthenticationError/cancelled``.
  func response(
    from endpoint: TokenEndpoint, provenBy key: Secret?, since start: Duration
  ) async throws(AuthenticationError) -> HTTPResponse {
    let clock = endpoint.environment.clock
    let deadline = start + lifetime
    var grant = FormBody(["grant_type": "urn:ietf:params:oauth:grant-type:device_code", "device_code": code.reveal()])
    if case .indicator = endpoint.client.dialect.resourceNaming {
      for resource in endpoint.client.resources { grant.add("resource", resource) }
    }
    var interval = interval
    var backoff = 1
    var asked: Duration?
    var outage: AuthenticationError?
    while true {
      let left = deadline - clock.uptime
      do { try await clock.sleep(for: min(max(interval * backoff, asked ?? .zero), left)) } catch { throw .cancelled }
      guard clock.uptime < deadline else { throw outage ?? .deviceCodeExpired }
      asked = nil
      let response: HTTPResponse
      do throws(AuthenticationError) {
        response = try await endpoint.send(grant, provenBy: key)
      } catch {
        guard [.timedOut, .connectionLost, .unreachable].contains(error) else { throw error }
        outage = error
        backoff *= 2
        continue
      }
      switch OAuthErrorResponseMapper.code(of: response) {
      case "authorization_pending": break
      case "slow_down": interval += .seconds(5)
      default:
        guard response.status == 429 || (500...599).contains(response.status) else { return response }
        outage = OAuthErrorResponseMapper.map(response, now: clock.now)
        backoff *= 2
        asked = response.retryAfter(now: clock.now)
        continue
      }
      outage = nil
      backoff = 1
      asked = response.retryAfter(now: clock.now)
    }
  }
}

/// Maps a successful response of the device authorization endpoint (RFC 8628 §3.2).
enum DeviceAuthorizationResponseMapper {
  /// Throws ``AuthenticationError/unexpectedResponse`` if the body is not such an object, and for values that must
  /// not be shown to a user: an address that is not https (or http to this machine), a code that a terminal does
  /// not print unchanged.
  static func map(_ response: HTTPResponse) throws(AuthenticationError) -> DeviceAuthorization {
    // `verification_url` is Google's name for the member.
    guard let members = response.members, let code = members.secret("device_code"),
      let address = members["verification_uri"] ?? members["verification_url"], address.isShowableAddress,
      members.values["verification_uri_complete"]?.text?.isShowableAddress ?? true, let userCode = members["user_code"],
      userCode.isShowableCode, let lifetime = members.seconds("expires_in")
    else {
      throw AuthenticationError(
        .unexpectedResponse, "The response is not a code for another device, or not one that can be shown.",
        suggestion: "Check what the issuer's device authorization endpoint sends.")
    }
    return DeviceAuthorization(
      code: code,
      prompt: ExternalInteraction(
        .anotherDevice, address: address, completeAddress: members["verification_uri_complete"], userCode: userCode,
        lifetime: lifetime),
      lifetime: lifetime, interval: members.seconds("interval") ?? .seconds(5))
  }
}

extension String {
  fileprivate var isShowableAddress: Bool {
    utf8.count <= 2_048 && utf8.allSatisfy { (0x21...0x7E).contains($0) && !"\"<>\\^`{|}".utf8.contains($0) }
      && URL(string: self).flatMap(Origin.init)?.isSecure == true
  }

  fileprivate var isShowableCode: Bool {
    (1...64).contains(utf8.count) && utf8.allSatisfy { (0x20...0x7E).contains($0) && !"\"\\".utf8.contains($0) }
      && contains { $0 != " " }
  }
}
