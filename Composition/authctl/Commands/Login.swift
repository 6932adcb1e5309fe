import ArgumentParser
import AuthenticationKit
import Foundation

struct Login: Command {
  static let configuration = CommandConfiguration(abstract: "Sign in and keep the session.")

  @Option(help: "The provider to sign in with: api.")
  var provider: ProviderKind = .api

  @Option(help: "api: where the backend is, like https://api.example.com.")
  var baseURL: String

  @Option(help: "An origin, besides the provider's, that `request` may send the token to. Repeatable.")
  var allowOrigin: [String] = []

  @Option(help: "The user name; asked for where it is missing.")
  var username: String?

  @Flag(help: "Read the password from standard input, one line.")
  var passwordStdin = false

  @Option(help: "How many seconds to wait for the provider.")
  var timeout: Int = 60

  @Flag(help: "Print an event a line, as JSON.")
  var json = false

  @OptionGroup var options: ProfileOptions

  func validate() throws {
    if !(1...86_400).contains(timeout) {
      throw ValidationError("--timeout is a number of seconds, at least 1 and at most a day.")
    }
  }

  func perform(on console: Console) async throws {
    let folder = ProfileFolder(options.profile)
    let profile = Profile(
      provider: provider.rawValue, baseURL: baseURL, allowedOrigins: allowOrigin,
      storage: options.storage ?? .best)
    let old = try? folder.load()
    let opened = try OpenProfile(profile, in: folder, options: options, console: console)
    try folder.checkSaving(profile.storage)
    let credentials = PasswordCredentials(
      userName: name(console), password: try PasswordPrompt.read(fromInput: passwordStdin, console: console))
    let user = try await signIn(opened.root, credentials)
    do {
      if let unsaved = opened.root.manager.state.activeSession?.unsaved { throw unsaved }
      if old != profile { try folder.save(profile) }
    } catch {
      await end(opened)
      throw error
    }
    if let old, !old.sharesSession(with: profile) { await leave(old, in: folder, console) }
    await opened.root.manager.deliverRevocations()
    report(user, opened, console)
  }

  private func name(_ console: Console) -> String {
    if let username { return username }
    console.ask("User name: ")
    return readLine() ?? ""
  }

  private func signIn(_ root: MainRoot, _ credentials: PasswordCredentials) async throws -> User {
    let attempt = Task { try await root.useCase.signIn(with: credentials) }
    let alarm = Task {
      try await Task.sleep(for: .seconds(timeout))
      attempt.cancel()
    }
    defer { alarm.cancel() }
    do {
      return try await attempt.value
    } catch let error as AuthenticationError where error.code == .cancelled {
      throw AuthenticationError.timedOut
    }
  }

  /// A profile has one session: what it had at another service, or kept elsewhere, is ended there.
  private func leave(_ old: Profile, in folder: ProfileFolder, _ console: Console) async {
    guard let previous = try? OpenProfile(old, in: folder, options: options, console: console) else { return }
    await end(previous)
  }

  private func end(_ opened: OpenProfile) async {
    try? await opened.root.manager.signOut()
    await opened.root.manager.deliverRevocations()
  }

  private func report(_ user: User, _ opened: OpenProfile, _ console: Console) {
    let token = opened.root.manager.state.session?.accessToken
    if json {
      console.out(
        json: SignedInEvent(
          user: UserOutput(user), expires_at: token?.expiresAt, scopes: token?.scopes ?? [],
          storage: opened.profile.storage))
    } else {
      console.say("Signed in as \(user.name ?? user.id); the session is kept in: \(opened.profile.storage.rawValue).")
    }
  }
}

enum ProviderKind: String, ExpressibleByArgument, CaseIterable {
  case api
}

private struct SignedInEvent: Encodable {
  let event = "signed_in"
  let user: UserOutput
  let expires_at: Date?
  let scopes: [String]
  let storage: StorageKind
}
