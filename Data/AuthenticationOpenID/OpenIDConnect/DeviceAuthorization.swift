import AuthenticationData
import AuthenticationDomain
import Foundation

/// A code for a user to type on another device, and how to poll for the result (RFC 8628 §3.2).
struct DeviceAuthorization: Sendable {
  let code: Secret
  let prompt: DeviceSignIn.Prompt
  /// The least time between two polls.
  let interval: Duration
}

extension DeviceAuthorization {
  /// Polls until the user has decided, and returns the response that says so (RFC 8628 §3.4, §3.5).
  ///
  /// Each failed poll, an outage included, doubles the wait until one succeeds: giving up would make the user, who is
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

/// Maps a successful response of the device authorization endpoint (RFC 8628 §3.2).
enum DeviceAuthorizationResponseMapper {
  private struct Wire: Decodable {
    let device_code: String
    let user_code: String
    let verification_uri: String?
    /// Google's name for the member.
    let verification_url: String?
    let verification_uri_complete: String?
    let expires_in: WireSeconds
    let interval: WireSeconds?
  }

  /// Throws ``AuthenticationError/Code/unexpectedResponse`` if the body is not such an object, and for values that must
  /// not be shown to a user: an address that is not https (or http to this machine), a code that a terminal does
  /// not print unchanged.
  static func map(_ response: HTTPResponse) throws(AuthenticationError) -> DeviceAuthorization {
    guard response.isJSON, !response.isFromOtherOrigin,
      let wire = try? BoundedJSON.decode(Wire.self, from: response.body), !wire.device_code.isEmpty,
      let address = wire.verification_uri ?? wire.verification_url, address.isShowableAddress,
      wire.verification_uri_complete?.isShowableAddress ?? true, wire.user_code.isShowableCode,
      let lifetime = try? wire.expires_in.lifetime()
    else {
      throw AuthenticationError(
        .unexpectedResponse, "The answer is not a code for another device, or not one that can be shown.",
        suggestion: "Check what the issuer's device authorization endpoint answers.")
    }
    return DeviceAuthorization(
      code: Secret(wire.device_code),
      prompt: DeviceSignIn.Prompt(
        verificationURI: address, completeVerificationURI: wire.verification_uri_complete, userCode: wire.user_code,
        lifetime: lifetime),
      interval: (try? wire.interval?.lifetime()) ?? .seconds(5))
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

extension AuthenticationClock {
  /// Returns the task's result; nil if it takes longer than `limit`, or the caller is cancelled. The task continues.
  @discardableResult
  func wait<Answer: Sendable>(for task: Task<Answer, Never>, atMost limit: Duration) async -> Answer? {
    let (answers, answer) = AsyncStream.makeStream(of: Answer.self)
    Task {
      answer.yield(await task.value)
      answer.finish()
    }
    let alarm = Task {
      try? await sleep(for: limit)
      answer.finish()
    }
    defer { alarm.cancel() }
    return await answers.first { _ in true }
  }
}
