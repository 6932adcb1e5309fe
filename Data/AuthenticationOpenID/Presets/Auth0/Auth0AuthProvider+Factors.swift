import AuthenticationData
import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The second factor, by the token of `mfa_required`, which is a secret and lives for ten minutes.
extension Auth0AuthProvider {
  private static let lifetime = 600.0

  /// Asks for the one factor, lets choose among several, or enrols the first. A recovery code is never asked for
  /// first.
  func secondFactor(_ token: Secret) async throws(AuthenticationError) -> Challenge {
    let response = try await send(
      try service.request(.get, "mfa/authenticators", headers: ["Authorization": "Bearer \(token.reveal())"]))
    let factors = try Auth0FactorsResponseMapper.map(response)
    let end = openID.environment.clock.now.timeIntervalSince1970 + Self.lifetime
    let handle = ChallengeHandle(Step.choice, ["token": token.reveal(), "end": String(Int(end))])
    let usual = factors.filter { $0.kind != .recoveryCode }
    switch (factors.count, usual.count) {
    case (0, _): return try await enrol(handle)
    case (_, 1): return try await ask(usual[0], among: factors, handle)
    default: return Challenge(kind: .choice, handle: handle.secret, lifetime: timeLeft(handle), choices: factors)
    }
  }

  /// Begins a factor; for some of them a message is sent.
  ///
  /// - Parameter factor: nil for whichever Auth0 chooses.
  func ask(
    _ factor: Challenge.Factor?, among choices: [Challenge.Factor], _ handle: ChallengeHandle
  ) async throws(AuthenticationError) -> Challenge {
    let kind = factor?.kind ?? .choice
    if [.oneTimePassword, .recoveryCode].contains(kind) { return shown(kind, choices, handle) }
    do throws(AuthenticationError) {
      let body = try JSONMembers(
        await post(
          "mfa/challenge",
          [
            "mfa_token": .string(try handle.required("token")),
            "challenge_type": .string(factor == nil ? "otp oob" : "oob"),
            "authenticator_id": factor.map { .string($0.id) },
          ]))
      guard body["challenge_type"] == "oob" else { return shown(.oneTimePassword, choices, handle) }
      return try outOfBand(body, factor, choices, handle)
    } catch {
      let codes = ["unsupported_challenge_type", "a0.mfa_registration_required", "association_required"]
      guard factor != nil, let code = error.providerCode, codes.contains(code) else { throw error }
      return try await enrol(handle)
    }
  }

  /// For what the person has already.
  private func shown(
    _ kind: Challenge.Kind, _ choices: [Challenge.Factor], _ handle: ChallengeHandle
  ) -> Challenge {
    let isCode = kind == .recoveryCode
    return Challenge(
      kind: kind, handle: handle.at(isCode ? Step.recoveryCode : Step.oneTimePassword).secret,
      format: isCode ? nil : .digits(6), lifetime: timeLeft(handle), choices: choices)
  }

  /// Without a `binding_method` the person approves on another device.
  func outOfBand(
    _ body: JSONMembers, _ factor: Challenge.Factor?, _ choices: [Challenge.Factor], _ handle: ChallengeHandle
  ) throws(AuthenticationError) -> Challenge {
    var handle = handle.at(Step.outOfBand)
    (handle["oob"], handle["id"]) = (try body.required("oob_code"), factor?.id)
    let isPrompt = body["binding_method"] == "prompt"
    let channel = Auth0FactorsResponseMapper.kind(type: "oob", channel: body["oob_channel"])
    let kind = factor?.kind ?? channel ?? .smsCode
    return Challenge(
      kind: isPrompt ? kind : .approval, destination: factor?.destination,
      handle: handle.secret, format: isPrompt ? CodeFormat(length: 4...12) : nil, lifetime: timeLeft(handle),
      resendDelay: isPrompt ? Self.resendDelay : nil, choices: choices, pollInterval: isPrompt ? nil : .seconds(5))
  }

  func timeLeft(_ handle: ChallengeHandle) -> Duration? {
    handle["end"].flatMap { Double($0) }.flatMap {
      let left = $0 - openID.environment.clock.now.timeIntervalSince1970.rounded()
      return Duration(seconds: max(left, 0), atMost: .seconds(Self.lifetime))
    }
  }
}

extension ChallengeHandle {
  /// The same at another step.
  func at(_ step: String) -> Self {
    var handle = self
    handle["step"] = step
    return handle
  }
}
