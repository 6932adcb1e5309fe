import ArgumentParser
import AuthenticationFirebase
import AuthenticationKit
import AuthenticationOpenID
import Foundation

extension Login {
  /// How a person is signed in.
  enum Way: Sendable {
    /// At an issuer: its page, another device, a password.
    case credentials(any Credentials)
    /// By an attempt, which may lead through challenges.
    case attempt(SignInMethod, SignInInput)
    /// By the step that a login before left waiting.
    case pending

    /// Whether the person is busy in a browser or on another device.
    var isElsewhere: Bool {
      guard case .attempt(let method, _) = self else { return false }
      return method.needs.contains(.browser) || method.needs.contains(.anotherDevice)
    }

    /// Whether a page of the provider is shown, which returns to this machine.
    var showsPage: Bool {
      switch self {
      case .credentials(let credentials): credentials.method == .browser
      case .attempt(let method, _): method.needs.contains(.browser)
      case .pending: false
      }
    }
  }

  func way(of root: MainRoot, _ profile: Profile, _ console: Console) throws -> Way {
    if continues { return .pending }
    guard openID.issuer == nil else { return .credentials(try credentials(console)) }
    guard let chosen = method.map({ id in root.methods.first { $0.id == id } }) ?? root.methods.first else {
      let known = root.methods.map(\.id).joined(separator: ", ")
      throw ValidationError("--method is one of what this provider offers: \(known).")
    }
    return .attempt(chosen, try input(for: chosen, console))
  }

  private func credentials(_ console: Console) throws -> any Credentials {
    switch openID.flow {
    case .password: try password(console)
    case .device: DeviceSignIn { console.show(DeviceEvent($0)) }
    case .browser: openID.page.signIn(username: username)
    }
  }

  /// At an issuer a method is a flow: the same login with that one.
  func following(_ method: String) throws -> Login {
    guard let flow = OpenIDOptions.Flow(rawValue: method) else {
      throw ValidationError("--method at an issuer is one of: browser, device, password.")
    }
    var login = self
    login.openID.flow = flow
    login.method = nil
    try login.openID.validate()
    return login
  }

  private func input(for method: SignInMethod, _ console: Console) throws -> SignInInput {
    var fields: [SignInMethod.Need: String] = [:]
    for need in method.needs {
      switch need {
      case .password, .token:
        fields[need] = try PasswordPrompt.read(fromInput: passwordStdin, console: console).reveal()
      case .userName, .emailAddress, .phoneNumber: fields[need] = try name(console)
      default: break
      }
    }
    return SignInInput(fields)
  }

  /// How a provider's page is shown.
  func page(_ console: Console) -> BrowserPage? {
    guard openID.flow == .browser else { return nil }
    let presenter = SystemBrowserPresenter(timeout: .seconds(600)) { url throws(AuthenticationError) in
      if json { console.out(json: AuthorizationEvent(url: url.absoluteString)) }
      if !openID.noBrowser { return try await open(url, console) }
      if !json { console.say("Open this page to sign in: \(url.absoluteString)") }
    } onIgnored: {
      console.warn(of: $0)
    }
    return BrowserPage(presenter: presenter, redirect: openID.redirect)
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

  private func password(_ console: Console) throws -> PasswordCredentials {
    PasswordCredentials(
      userName: try name(console), password: try PasswordPrompt.read(fromInput: passwordStdin, console: console))
  }

  private func name(_ console: Console) throws -> String { try UserNamePrompt.read(username, console: console) }
}

private struct AuthorizationEvent: Encodable {
  let event = "authorization_url"
  let url: String
}
