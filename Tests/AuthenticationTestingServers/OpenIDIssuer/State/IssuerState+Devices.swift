#if Tools && OpenID
import Foundation

extension IssuerState {
  /// RFC 8628 §3.1.
  mutating func startDevice(_ request: Request, at now: Date) -> Answer {
    switch authenticatedForm(request, at: now) {
    case .failure(let refusal): return .refusal(refusal)
    case .success(let form):
      guard isGrantable(form["scope"] ?? "") else { return .refusal(Refusal("invalid_scope")) }
      let device = Device(
        code: OpaqueToken.make(), userCode: "WDJB-\(1_000 + devices.count)",
        scopes: (form["scope"] ?? "openid").split(separator: " ").map(String.init),
        expiresAt: now.addingTimeInterval(options.deviceCodeLifetime / .seconds(1)), interval: options.deviceInterval)
      devices.append(device)
      return .json(answer(for: device).text)
    }
  }

  private func answer(for device: Device) -> JSON {
    let page = identifier + "/device"
    return [
      "device_code": .string(device.code), "user_code": .string(device.userCode),
      "verification_uri": .string(page),
      "verification_uri_complete": .string(page + "?user_code=" + device.userCode),
      "expires_in": .integer(Int(options.deviceCodeLifetime / .seconds(1))),
      "interval": .integer(Int(options.deviceInterval / .seconds(1))),
    ]
  }

  /// RFC 8628 §3.5.
  mutating func poll(_ form: Fields, _ thumbprint: String?, _ now: Date) throws -> JSON {
    guard let index = devices.firstIndex(where: { $0.code == form["device_code"] && !$0.isRedeemed }) else {
      throw Refusal.invalidGrant
    }
    guard now < devices[index].expiresAt else { throw Refusal("expired_token") }
    let last = devices[index].lastAskedAt
    devices[index].lastAskedAt = now
    let isHasty = last.map { now.timeIntervalSince($0) < devices[index].interval / .seconds(1) } ?? false
    if slowDowns > 0 || isHasty {
      slowDowns = max(0, slowDowns - 1)
      devices[index].interval += .seconds(5)
      throw Refusal("slow_down")
    }
    switch devices[index].decision {
    case nil, .leaves, .types: throw Refusal("authorization_pending")
    case .declines: throw Refusal("access_denied")
    case .causes(let error): throw Refusal(error)
    case .approves(let account):
      devices[index].isRedeemed = true
      let signIn = SignIn(
        account: account, scopes: devices[index].scopes, authenticatedAt: now, context: "urn:example:bronze", nonce: nil
      )
      return try tokens(of: start(signIn), thumbprint, now, isFirst: true)
    }
  }
}
#endif
