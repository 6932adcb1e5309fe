import AuthenticationKit
import AuthenticationOpenID
import Foundation

extension Login {
  func credentials(_ console: Console) throws -> any Credentials {
    guard openID.issuer != nil, openID.flow != .password else { return try password(console) }
    if openID.flow == .device { return DeviceSignIn { show($0, console) } }
    return openID.page.signIn(username: username)
  }

  func presenter(_ console: Console) -> (any AuthorizationPresenter)? {
    guard openID.issuer != nil, openID.flow == .browser else { return nil }
    return SystemBrowserPresenter(timeout: .seconds(600)) { url throws(AuthenticationError) in
      if json { console.out(json: AuthorizationEvent(url: url.absoluteString)) }
      if !openID.noBrowser { return try await open(url, console) }
      if !json { console.say("Open this page to sign in: \(url.absoluteString)") }
    }
  }

  private func open(_ url: URL, _ console: Console) async throws(AuthenticationError) {
    do {
      try await SystemBrowser.open(url)
      if !json { console.say("Sign in on the page that has opened in the browser.") }
    } catch  where error.code == .cancelled {
      throw error
    } catch {
      console.say("No browser could be opened here. Open this page to sign in: \(url.absoluteString)")
    }
  }

  private func show(_ prompt: DeviceSignIn.Prompt, _ console: Console) {
    if json { return console.out(json: DeviceEvent(prompt)) }
    console.say("Go to \(prompt.verificationURI) and type the code \(prompt.userCode).")
    if let complete = prompt.completeVerificationURI { console.say("Or go to \(complete), where it is filled in.") }
    console.say("The code is good for \(prompt.lifetime.words).")
  }

  private func password(_ console: Console) throws -> PasswordCredentials {
    PasswordCredentials(
      userName: name(console), password: try PasswordPrompt.read(fromInput: passwordStdin, console: console))
  }

  private func name(_ console: Console) -> String {
    if let username { return username }
    console.ask("User name: ")
    return readLine() ?? ""
  }
}

private struct AuthorizationEvent: Encodable {
  let event = "authorization_url"
  let url: String
}

private struct DeviceEvent: Encodable {
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
}
