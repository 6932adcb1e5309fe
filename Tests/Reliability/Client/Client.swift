import AuthenticationDiagnostics
import AuthenticationKit
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import Interposer
import ReliabilityWorld

/// An app's composition root, driven by words.
struct Client {
  let root: MainRoot
  let diagnostics = Diagnostics()
  let waits = LockWaits()
  private let clock: SharedClock
  private let server: URL
  private let store: any SessionStore

  init(
    server: String, folder: URL, deadline: Duration, backoff: Backoff, clock: SharedClock
  ) throws {
    self.clock = clock
    let files = StorageLocation.files(in: folder)
    let waits = waits
    let storage = StorageLocation { realm in
      let place = files.realm(realm)
      return .init(
        store: place.store, lock: place.lock.map { TimedLock(upstream: $0, waits: waits) }, secrets: place.secrets)
    }
    let transport = try SystemHTTPClient(deadline: deadline)
    self.server = URL(string: server)!
    store = files.realm("api \(server)").store
    // A hurried clock would end requests that take their real time.
    let refreshPolicy = try RefreshPolicy(refreshTimeout: .seconds(86_400))
    let diagnostics = diagnostics
    root = try MainRoot(.api(baseURL: self.server)) {
      $0.record(to: diagnostics)
      $0.storage = storage
      $0.providerTransport = transport
      $0.apiTransport = transport
      $0.clock = clock
      $0.backoff = backoff
      $0.refreshPolicy = refreshPolicy
    }
  }

  func answer(_ words: [String]) async -> String {
    let number = words.last.flatMap { Int($0) } ?? 0
    switch words.first {
    case "sign-in": return await code { () throws(AuthenticationError) in try await signIn(words[1]) }
    case "sign-out": return await code { () throws(AuthenticationError) in try await root.manager.signOut() }
    case "refresh": return await code { () throws(AuthenticationError) in try await refresh() }
    case "token": return await code { () throws(AuthenticationError) in _ = try await root.manager.validSession() }
    case "call": return await call()
    case "deliver": return "\(await root.manager.deliverRevocations().count)"
    case "state": return await state()
    case "saved": return await saved()
    case "stored": return stored()
    case "keep-events": await diagnostics.keep()
    case "steps": return "\(interposer_steps())"
    case "die-before": interposer_count_steps(UInt64(number), SIGKILL)
    case "stop-before": interposer_count_steps(UInt64(number), SIGSTOP)
    case "fail": interposer_fail(Int32(words[1]) ?? 0, UInt64(number))
    case "shift": interposer_shift_wall_clock(Int64(number))
    case "waits": return waits.microseconds.map(String.init).joined(separator: ",")
    case "loop": await loop()
    case "endure": return await endure(.seconds(number))
    default: return "unknown"
    }
    return "ok"
  }

  /// `ok`, or the code of the error.
  private func code(_ body: () async throws(AuthenticationError) -> Void) async -> String {
    do throws(AuthenticationError) {
      try await body()
      return "ok"
    } catch {
      return "\(error.code)"
    }
  }

  func signIn(_ name: String) async throws(AuthenticationError) {
    let account: LoopbackIdentityServer.Account = name == "ada" ? .ada : .grace
    try await root.useCase.login(username: account.username, password: account.password)
  }

  /// Asks for a valid token when the current one is over.
  func refresh() async throws(AuthenticationError) {
    await root.manager.restore()
    do { try clock.passed.passAnHour() } catch { fatalError("No time passes: \(error)") }
    _ = try await root.manager.validSession()
  }

  /// The status of an answer of the API.
  private func call() async -> String {
    do throws(AuthenticationError) {
      return "\(try await root.apiClient.send(HTTPRequest(.get, server.appending(path: "api/notes"))).status)"
    } catch {
      return "\(error.code)"
    }
  }

  private func state() async -> String {
    let state = await root.manager.restore()
    let former = await root.manager.formerUser.map { " former:\($0.id)" }
    return "\(Words(state))\(former ?? "")"
  }

  /// The state once the store holds it.
  private func saved() async -> String {
    for await state in root.manager.states() where state.activeSession?.unsaved == nil { return "\(Words(state))" }
    return "ended"
  }

  /// The signed-in user on the disk, and whether with the tokens that are current here.
  private func stored() -> String {
    do throws(AuthenticationError) {
      guard let session = try store.read()?.session else { return "none" }
      return "\(session.user.id) \(session == root.manager.state.session ? "current" : "other")"
    } catch {
      return "\(error.code)"
    }
  }

  private func loop() async {
    Output.say("looping")
    while true { _ = try? await refresh() }
  }
}
