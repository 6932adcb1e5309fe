import AuthenticationKit
import AuthenticationTestingServers
import Foundation

/// An identity server with passwords, sign-up, codes, second factors, passkeys and an account, and the API it protects.
struct OwnAPI: ShowcaseProvider {
  let server: LoopbackIdentityServer
  let line = ProductLine.api

  init(passkeyOrigin: String, clock: any AuthenticationClock, recorder: Recorder) {
    var options = LoopbackIdentityServer.Options(
      accessTokenLifetime: .seconds(120), reuseGrace: .seconds(60), users: Tour.users)
    options.passkeyOrigin = passkeyOrigin
    options.confirmsSignUps = true
    options.onCode = { name, code in recorder.deliver(Letter(address: name, type: "code", code: code)) }
    options.onExchange = { recorder.receive($0) }
    server = LoopbackIdentityServer(options: options, clock: clock)
  }

  var url: URL { server.baseURL ?? URL(filePath: "/") }
  var address: String { url.absoluteString }
  var resource: URL { url.appending(path: "api/notes") }

  func start() async throws(LoopbackServerError) { try await server.start(port: UInt16(server.baseURL?.port ?? 0)) }
  func stop() async { await server.stop() }
  func expireTokens() { server.revokeAllAccessTokens() }
  func loseAnswer() { server.loseNextRefresh() }
  func endSessions(of user: User) { server.revokeFamilies(ofUser: user.id) }
}

extension LoopbackIdentityServer {
  /// The next refresh is processed, and the connection is cut before its answer.
  func loseNextRefresh() {
    let before = counters.requests(on: .refresh)
    set(.dropAfterProcessing, on: .refresh)
    Task {
      await waitForRequest(on: .refresh, count: before + 1)
      set(nil, on: .refresh)
    }
  }
}
