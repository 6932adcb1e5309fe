import ArgumentParser
import AuthenticationDiagnostics
import AuthenticationKit
import AuthenticationOpenID
import AuthenticationResources
import Foundation

struct Logout: Command {
  static let configuration = CommandConfiguration(
    commandName: "logout", abstract: "Erase the session here, then end it at the provider.")

  @Flag(help: "Only erase; tell the provider nothing.")
  var local = false

  @Flag(
    help: """
      Open the issuer's page that ends its browser session, so that the next user is asked who they are. The issuer \
      may ask for confirmation there.
      """)
  var browser = false

  @Flag(help: "Also forget how this program was registered for a --protected-resource, here and at the servers.")
  var forget = false

  @Flag(help: "Sign out of an account without a name, too, although nothing leads back to it.")
  var loseAnonymousAccount = false

  @OptionGroup var options: ProfileOptions

  func validate() throws {
    if local, browser || forget {
      throw ValidationError("--local tells the provider nothing, and --\(browser ? "browser" : "forget") does.")
    }
  }

  func perform(on console: Console) async throws {
    let folder = ProfileFolder(options, console)
    await folder.forgetBegunLogin()
    guard var profile = try folder.load() else {
      console.say("Nobody was signed in.")
      if forget { try await forgetRegistrations(folder.registrations(of: nil), trusting: nil, console) }
      return
    }
    let registrations = forget ? folder.registrations(of: profile) : []
    profile.storage = options.storage ?? profile.storage
    if forget, !profile.isResource, registrations.isEmpty {
      throw ValidationError("--forget is for a --protected-resource only.")
    }
    if profile.isService { return try await endService(profile, in: folder) }
    // First: nothing below may fail, or be interrupted, and leave it.
    try await PendingAccountStep(of: profile, in: folder).removeAny()
    let opened = try OpenProfile.saved(options, console: console)
    if local {
      try await opened.root.manager.clear(losing: loss)
      await opened.diagnostics.keep()
      try? opened.forgetClientSecret()
      return console.say("Signed out here.")
    }
    if browser, opened.issuer == nil { throw AuthenticationError.noBrowserSession }
    let hasBrowserSession = browser || opened.profile.openID?.flow == .browser
    let tokens = try await endTokens(opened, isAll: !hasBrowserSession)
    console.say(tokens.sentence)
    if forget, tokens.isReached {
      try await forgetRegistrations(registrations, trusting: profile.caFile, console)
    } else if forget {
      // A sign-out that the server has yet to be told of needs the client.
      console.say("The registration is kept until the server knows of the sign-out. Then use --forget again.")
    }
    if browser {
      try await endBrowserSession(opened, console)
    } else if hasBrowserSession, tokens.isOver {
      console.say(await hint(opened))
    }
  }

  private func forgetRegistrations(
    _ registrations: [RegisteredClients], trusting authorities: String?, _ console: Console
  ) async throws {
    let transport = try options.transport(trusting: authorities, console)
    var isForgottenThere = true
    for clients in registrations {
      let removals = try await clients.forgetAll(over: transport, by: SystemClock())
      for (issuer, removal) in removals ?? [] {
        switch removal {
        case .removed: console.say("\(issuer) removed the registration.")
        case .notOffered: console.say("\(issuer) offers no way to remove the registration.")
        case .refused(let status): console.say("\(issuer) refused to remove the registration (HTTP \(status)).")
        case .unreachable: console.say("\(issuer) could not be reached to remove the registration.")
        }
      }
      isForgottenThere = isForgottenThere && removals?.allSatisfy { $0.removal == .removed } ?? false
    }
    let rest = isForgottenThere ? "" : " here. The authorization server may still have it"
    console.say("The registration of this program is forgotten\(rest).")
  }

  private func endService(_ profile: Profile, in folder: ProfileFolder) async throws {
    guard !browser else { throw AuthenticationError.noBrowserSession }
    guard try folder.clientSecret(of: profile) != nil else { return folder.console.say("No service was logged in.") }
    do {
      try await ServiceProfile(profile, in: folder).end(isLocal: local)
    } catch let error as AuthenticationError where ExitStatus(error) != .storage {
      return folder.console.say(
        "Signed out here. \(error.messageWithCode) The access token may still work there until it expires.")
    }
    folder.console.say(local ? "Signed out here." : "Signed out here and at the provider.")
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

  /// - Parameter isAll: whether the tokens are all that there is to end.
  /// - Returns: their fate at the provider, whether it has done all that it can, and whether it was reached.
  private func endTokens(
    _ opened: OpenProfile, isAll: Bool
  ) async throws -> (sentence: String, isOver: Bool, isReached: Bool) {
    let manager = opened.root.manager
    let stored = try opened.store.read()
    let isOwed = stored.map { $0.session != nil || !$0.pendingRevocations.isEmpty } ?? false
    let isErased = (try? await manager.signOut(losing: loss)) != nil
    let failures = await manager.deliverRevocations(within: .seconds(30))
    // Once the provider has heard of it there is nothing left to store, so that a full disk may no longer matter.
    if !isErased { try await manager.signOut(losing: loss) }
    await opened.diagnostics.keep()
    let (here, token) = ("Signed out here", stored.remainingToken)
    if await manager.hasPendingRevocations {
      if try opened.store.read() == nil { throw AuthenticationError.notQueued }
      guard let failure = failures.first, !failure.isAboutReaching else {
        let later = "The provider cannot be reached; it is told by the next command that reaches it."
        return ("\(here). \(later)", false, false)
      }
      let still = "\(token) still works there; the next command tries again."
      return ("\(here). \(failure.messageWithCode) \(still)", false, true)
    }
    try? opened.forgetClientSecret()
    if !isOwed { return ("Nobody was signed in.", false, true) }
    if let failure = failures.first(where: { $0 == .unsupportedMethod }) {
      return ("\(here). \(failure.messageWithCode) \(token) may still work there until it expires.", true, true)
    }
    return (isAll ? "\(here) and at the provider." : "\(here); the provider revoked the tokens.", true, true)
  }

  /// The page is opened without a way back, which few clients have registered: nothing tells when it has done its work.
  private func endBrowserSession(_ opened: OpenProfile, _ console: Console) async throws {
    guard let issuer = opened.issuer else { return }
    let page: URL
    do throws(AuthenticationError) {
      page = try await issuer.endSessionPage()
    } catch {
      throw error == .endpointMissing ? .browserSessionStays : error
    }
    console.say(
      "The issuer's page opens in the browser: its session ends there, perhaps after a question. Or open it: "
        + page.absoluteString)
    do throws(AuthenticationError) { try await SystemBrowser.show(page) } catch {
      console.say(
        "No browser could be opened here. Open this page to end the session there; it may ask first: "
          + page.absoluteString)
    }
  }
}

extension SessionRecord? {
  /// The tokens that work at the provider as long as nothing is revoked there.
  fileprivate var remainingToken: String {
    let tokens = self.flatMap { $0.session?.tokens ?? $0.pendingRevocations.last?.tokens }
    return tokens?.refresh == nil ? "The access token" : "The refresh token"
  }
}

extension AuthenticationError {
  /// Whether the provider did not respond at all.
  var isAboutReaching: Bool { [.unreachable, .timedOut, .connectionLost, .cancelled].contains(self) }

  /// The failure, and the provider's code for it.
  var messageWithCode: String {
    guard let providerCode = self.providerCode, !message.contains(providerCode) else { return message }
    if message.hasSuffix(").") { return "\(message.dropLast(2)), \(providerCode))." }
    return "\(message.hasSuffix(".") ? String(message.dropLast()) : message) (\(providerCode))."
  }

  fileprivate static let notQueued = Self(
    .storageUnavailable, "Signed out here, but the provider could not be told, nor the telling be stored for later.",
    suggestion: "Make room, or end the session at the provider.")
  fileprivate static let noBrowserSession = Self(
    .unsupportedMethod, "This provider has no browser session to end.", suggestion: "Leave out --browser.")
  fileprivate static let browserSessionStays = Self(
    code: "browser_session_stays", "The issuer has no page that ends its browser session: that session goes on.",
    suggestion: "Sign out on the issuer's own page, or close the browser.")
}
