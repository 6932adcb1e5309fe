import ArgumentParser
import AuthenticationKit
import AuthenticationOpenID
import Foundation

struct Logout: Command {
  static let configuration = CommandConfiguration(
    abstract: "Erase the session here, then end it at the provider.")

  @Flag(help: "Only erase; tell the provider nothing.")
  var local = false

  @Flag(help: "Open the issuer's page that ends its browser session, so that the next person is asked who they are.")
  var browser = false

  @Flag(help: "Sign out of an account without a name, too, although nothing leads back to it.")
  var loseAnonymousAccount = false

  @OptionGroup var options: ProfileOptions

  var json: Bool { false }

  func validate() throws {
    if local, browser { throw ValidationError("--local tells the provider nothing, and --browser does.") }
  }

  func perform(on console: Console) async throws {
    let folder = ProfileFolder(options.profile)
    await folder.forgetBegunLogin(options: options, console: console)
    guard try folder.load() != nil else { return console.say("Nobody was signed in.") }
    let opened = try OpenProfile.saved(options, console: console)
    try await PendingAccountStep(of: opened.profile, in: folder).removeAny()
    if local {
      try await opened.root.manager.clear(losing: loss)
      try? opened.forgetClientSecret()
      return console.say("Signed out here.")
    }
    if browser, opened.issuer == nil { throw AuthenticationError.noBrowserSession }
    let tokens = try await endTokens(opened)
    let hasBrowserSession = browser || opened.profile.openID?.flow == .browser
    console.say(tokens.sentence(isAll: !hasBrowserSession))
    if browser {
      try await endBrowserSession(opened, console)
    } else if hasBrowserSession, tokens.isOver {
      console.say(await hint(opened))
    }
  }

  private var loss: SignOutLoss? { loseAnonymousAccount ? .anonymousAccount : nil }

  private func hint(_ opened: OpenProfile) async -> String {
    do throws(AuthenticationError) {
      _ = try await opened.issuer?.endSessionPage()
      return "The issuer's browser session may go on: 'authctl logout --browser' opens the page that ends it."
    } catch {
      return "The issuer's browser session may go on: sign out on its own page, or close the browser."
    }
  }

  private func endTokens(_ opened: OpenProfile) async throws -> EndedTokens {
    let manager = opened.root.manager
    let stored = try opened.store.read()
    let isSomebody = stored.map { $0.session != nil || !$0.pendingRevocations.isEmpty } ?? false
    let isErased = (try? await manager.signOut(losing: loss)) != nil
    let failures = await manager.deliverRevocations(within: .seconds(30))
    // Once the provider has heard of it there is nothing left to store, so that a full disk may no longer matter.
    if !isErased { try await manager.signOut(losing: loss) }
    if await manager.hasPendingRevocations {
      if try opened.store.read() == nil { throw AuthenticationError.notQueued }
      return .queued
    }
    try? opened.forgetClientSecret()
    if !isSomebody { return .nobody }
    return failures.contains { $0.code == .unsupportedMethod } ? .irrevocable : .revoked
  }

  /// The page is opened without a way back, which few clients have registered: nothing tells when it has done its work.
  private func endBrowserSession(_ opened: OpenProfile, _ console: Console) async throws {
    guard let issuer = opened.issuer else { return }
    let page: URL
    do throws(AuthenticationError) {
      page = try await issuer.endSessionPage()
    } catch {
      throw error.code == .endpointMissing ? .browserSessionStays : error
    }
    do throws(AuthenticationError) {
      try await SystemBrowser.show(page)
      console.say("The issuer's page has opened in the browser: its session ends there.")
    } catch {
      console.say("No browser could be opened here. Open this page to end the session there: \(page.absoluteString)")
    }
  }
}

/// What became of the tokens at the provider.
private enum EndedTokens {
  case nobody, queued, irrevocable, revoked

  /// Whether the provider has done what it can.
  var isOver: Bool { self == .revoked || self == .irrevocable }

  /// - Parameter isAll: whether the tokens are all that there was to end.
  func sentence(isAll: Bool) -> String {
    switch self {
    case .nobody: "Nobody was signed in."
    case .queued: "Signed out here. The provider cannot be reached; it is told by the next command that reaches it."
    case .irrevocable:
      "Signed out here. The provider was asked to end the session, but revokes no tokens for this client."
    case .revoked:
      isAll ? "Signed out here and at the provider." : "Signed out here; the provider revoked the tokens."
    }
  }
}

extension AuthenticationError {
  fileprivate static let notQueued = Self(
    .storageUnavailable, "Signed out here, but the provider could not be told, nor the telling be stored for later.",
    suggestion: "Make room, or end the session at the provider.")
  fileprivate static let noBrowserSession = Self(
    .unsupportedMethod, "This provider has no browser session to end.", suggestion: "Leave out --browser.")
  fileprivate static let browserSessionStays = Self(
    .init("browser_session_stays"), "The issuer has no page that ends its browser session: that session goes on.",
    suggestion: "Sign out on the issuer's own page, or close the browser.")
}
