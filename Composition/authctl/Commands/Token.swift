import ArgumentParser
import AuthenticationKit
import AuthenticationResources
import Foundation

struct Token: Command {
  static let configuration = CommandConfiguration(
    commandName: "token", abstract: "Print a valid access token, refreshed first where it must be.")

  @Option(
    help: """
      How many seconds it must still be valid. By default 60, or a quarter of a shorter lifetime. Above the lifetime \
      it is refreshed once, however many processes ask at the same time.
      """)
  var minTTL: Int?

  @Option(
    help: "How many seconds to wait, by default 60; at most 10 more for a refresh that was sent, to store its response."
  )
  var timeout: Int?

  @Option(
    help: """
      plain; header: the line "Authorization: Bearer ..." for `curl -H @-`, which no process list shows; kubectl, git, \
      docker: the output of a credential helper of that program.
      """)
  var format = TokenFormat.plain

  @Option(help: "A further API that `login` named: its token instead of the session's own.")
  var resource: String?

  @Flag(help: "Print one JSON object.")
  var json = false

  @Argument(help: "With git and docker: what the program adds, such as 'get'.")
  var operation: String?

  @OptionGroup var options: ProfileOptions

  func validate() throws {
    if json, format != .plain { throw ValidationError("--format and --json cannot be combined.") }
    try format.check(operation)
    if let minTTL, minTTL < 0 { throw ValidationError("--min-ttl is a number of seconds, at least 0.") }
    try timeout?.checkTimeout()
  }

  func status(of error: AuthenticationError) -> ExitStatus {
    // A consent that is missing for one resource concerns only that.
    resource != nil && error == .insufficientUserAuthentication ? .signedOut : ExitStatus(refresh: error, of: options)
  }

  func perform(on console: Console) async throws {
    guard format.asks(operation) else { return }
    let asked = try format.request()
    let limit = timeout.map { Duration.seconds($0) } ?? OpenProfile.callerTimeout
    let folder = ProfileFolder(options, console)
    let profile = try folder.saved()
    if profile.isService {
      return try await perform(ServiceProfile(profile, in: folder, callerTimeout: limit), asked, console)
    }
    let opened = try OpenProfile(profile, in: folder, callerTimeout: limit)
    let named = resource.map { ProtectedResource.resource($0) }
    let declared = try opened.profile.declaredResources()
    if let named, declared[named] == nil {
      throw ValidationError("No --resource '\(resource ?? "")' was named at 'authctl login'.")
    }
    let manager = opened.root.manager
    guard let target = named ?? opened.resource(at: asked.origin)?.key else {
      guard asked.isAllowed(opened.root.allowedOrigins) else { return }
      return try await opened.deliveringAfterwards(within: min(limit, .seconds(5))) {
        let state = await manager.restore()
        let token = state.activeSession.flatMap { $0.freshness == .fresh ? $0.session.accessToken : nil }
        show(try await manager.validSession(lasting: wanted(unless: token)).accessToken, asked, console)
        if let unsaved = manager.state.activeSession?.unsaved { throw unsaved }
      }
    }
    guard asked.isAllowed(declared[target] ?? []) else { return }
    try await opened.deliveringAfterwards(within: min(limit, .seconds(5))) {
      await manager.restore()
      let token = await manager.resourceTokens().first { $0.resource == target }?.token
      show(try await manager.validSession(for: target, lasting: wanted(unless: token)).accessToken, asked, console)
    }
    if let unsaved = manager.state.activeSession?.unsaved { throw unsaved }
  }

  private func perform(_ service: ServiceProfile, _ asked: CredentialRequest, _ console: Console) async throws {
    let target = try service.resource(named: resource) ?? service.resource(at: asked.origin)
    guard asked.isAllowed(try service.origins(of: target)) else { return }
    let tokens = try service.tokens(for: target)
    let wanted = wanted(unless: try await tokens.storedToken())
    try await Interruption.draining(tokens, console) {
      show(try await tokens.validToken(lasting: wanted), asked, console)
    }
  }

  /// How long the token must last; nil if another process has got it since this one was started: a refresh would get no
  /// better one.
  private func wanted(unless token: AccessToken?) -> Duration? {
    let isNew = token.map { (ProcessStart.date...Date.distantFuture).contains($0.receivedAt) } ?? false
    return isNew ? nil : minTTL.map { Duration.seconds($0) }
  }

  private func show(_ token: AccessToken, _ asked: CredentialRequest, _ console: Console) {
    if json {
      console.out(json: [
        "access_token": token.value.reveal(), "token_type": token.type, "expires_at": token.expiresAt,
        "scopes": token.scopes,
      ])
    } else {
      console.out(asked.output(token, as: format))
    }
  }
}

extension Int {
  /// Checks what a `--timeout` says.
  func checkTimeout() throws {
    guard (1...86_400).contains(self) else {
      throw ValidationError("--timeout is a number of seconds, at least 1 and at most a day.")
    }
  }
}
