import AuthenticationKit
import AuthenticationOpenID

/// The event of the contract for a code that the person types on another device.
struct DeviceEvent: Encodable {
  let event = "device_code"
  let verification_uri: String
  let verification_uri_complete: String?
  let user_code: String
  let expires_in: Int64

  init(_ prompt: DeviceSignIn.Prompt) {
    verification_uri = prompt.verificationURI
    verification_uri_complete = prompt.completeVerificationURI
    user_code = prompt.userCode
    expires_in = prompt.lifetime.components.seconds
  }

  /// Nil where there is no code to type.
  init?(_ place: WaitingElsewhere) {
    guard let address = place.address, let code = place.userCode, let lifetime = place.lifetime else { return nil }
    verification_uri = address
    verification_uri_complete = place.completeAddress
    user_code = code
    expires_in = lifetime.components.seconds
  }
}

extension Console {
  /// The event, or the same in sentences.
  func show(_ code: DeviceEvent) {
    if isJSON { return out(json: code) }
    say("Go to \(code.verification_uri) and type the code \(code.user_code).")
    if let complete = code.verification_uri_complete {
      say("Or go to \(complete), where it is filled in.")
      draw(complete)
    }
    say("The code is good for \(Duration.seconds(code.expires_in).words).")
  }
}
