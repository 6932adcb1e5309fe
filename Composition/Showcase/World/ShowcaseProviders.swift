import AuthenticationDomainTesting
import AuthenticationKit
import AuthenticationTestingServers
import Foundation
import VendorServers

/// A provider on this machine, and its possible faults.
protocol ShowcaseProvider: Sendable {
  var line: ProductLine { get }
  /// The base URL, or the issuer.
  var address: String { get }
  /// The result of a call of the product.
  var resource: URL { get }
  /// Listens; after a stop on the same port, with the same users and sessions.
  func start() async throws(LoopbackServerError)
  func stop() async
  /// Access tokens end; refresh tokens do not.
  func expireTokens()
  /// The response to the next refresh is lost, after the provider has processed it.
  func loseAnswer()
  /// As if the user had ended the session on another device.
  func endSessions(of user: User)
}

/// An identity server with passwords, sign-up, codes, second factors, passkeys and an account, and the API it protects.
struct OwnAPI: ShowcaseProvider {
  let server: LoopbackIdentityServer
  let line = ProductLine.api

  init(_ options: LoopbackIdentityServer.Options, clock: any AuthenticationClock) {
    server = LoopbackIdentityServer(options: options, clock: clock)
  }

  init(passkeyOrigin: String, clock: any AuthenticationClock, recorder: Recorder) {
    var options = LoopbackIdentityServer.Options(
      accessTokenLifetime: .seconds(120), reuseGrace: .seconds(60), users: .known)
    options.passkeyOrigin = passkeyOrigin
    options.confirmsSignUps = true
    options.onCode = { name, code in recorder.deliver(Letter(address: name, type: "code", code: code)) }
    options.onExchange = { recorder.receive($0) }
    self.init(options, clock: clock)
  }

  var url: URL { server.baseURL ?? URL(filePath: "/") }
  var address: String { url.absoluteString }
  var resource: URL { url.appending(path: "api/notes") }

  func start() async throws(LoopbackServerError) { try await server.start(port: UInt16(server.baseURL?.port ?? 0)) }
  func stop() async { await server.stop() }
  func expireTokens() { server.revokeAllAccessTokens() }
  func loseAnswer() {
    let before = server.counters.requests(on: .refresh)
    server.set(.dropAfterProcessing, on: .refresh)
    Task {
      await server.waitForRequest(on: .refresh, count: before + 1)
      server.set(nil, on: .refresh)
    }
  }
  func endSessions(of user: User) { server.revokeFamilies(ofUser: user.id) }
}

extension [LoopbackIdentityServer.Account] {
  /// A returning user, a new one, and one with a second factor.
  static let known = [
    .ada, .grace,
    Element(
      username: "mary", password: "proof of stake", firstName: "Mary", lastName: "Shelley", hasSecondFactor: true),
  ]
}

/// An OpenID Connect issuer with a login page, and a page for the codes of devices.
final class OwnIssuer: ShowcaseProvider {
  private let server: LoopbackOpenIDIssuer
  let line = ProductLine.openID

  init(clock: any AuthenticationClock, recorder: Recorder) {
    var options = LoopbackOpenIDIssuer.Options()
    options.accessTokenLifetime = .seconds(120)
    options.reuseGrace = .seconds(60)
    options.deviceInterval = .seconds(1)
    options.onExchange = { recorder.receive($0) }
    server = LoopbackOpenIDIssuer(options, clock: clock)
    server.user = .types
  }

  var address: String { server.identifier }
  var resource: URL { server.url(.resource) }

  func start() async throws(LoopbackServerError) {
    try await server.start(port: UInt16(URL(string: server.identifier)?.port ?? 0))
  }

  func stop() async { await server.stop() }
  func expireTokens() { server.revokeAllAccessTokens() }
  func loseAnswer() { server.set(.usual(.dropAfterProcessing), onGrant: "refresh_token", times: 1) }
  func endSessions(of user: User) { server.revokeAllSignIns() }
}

/// A project that speaks as Supabase does, with codes and links in the mailbox and on the phone.
final class OwnSupabase: ShowcaseProvider {
  private let server: LoopbackSupabase
  private let clock: TravelClock
  private let port = AwaitableState<UInt16>(0)
  let line = ProductLine.supabase

  init(clock: TravelClock, recorder: Recorder) {
    var options = LoopbackSupabase.Options()
    options.reuseInterval = .seconds(60)
    options.sendingInterval = .seconds(5)
    let mailbox = AwaitableState<LoopbackSupabase?>(nil)
    let delivered = AwaitableState(0)
    options.onExchange = { exchange in
      recorder.receive(exchange)
      let messages = mailbox.value?.messages ?? []
      let known = delivered.update { count in
        defer { count = max(count, messages.count) }
        return count
      }
      for message in messages.dropFirst(known) {
        let address = message.link == nil ? "+" + message.address : message.address
        recorder.deliver(Letter(address: address, type: message.type, code: message.code, link: message.link))
      }
    }
    self.clock = clock
    server = LoopbackSupabase(options, clock: clock)
    mailbox.update { [server] in $0 = server }
    server.addAccount(email: "ada@example.com", password: "correct horse", phone: "+491701234567")
    server.addAccount(
      email: "mary@example.com", password: "proof of stake", factorSecret: "JBSWY3DPEHPK3PXP",
      factorPhone: "+491701112222")
  }

  var address: String { "http://127.0.0.1:\(port.value)" }
  var resource: URL { URL(string: address + "/auth/v1/user") ?? URL(filePath: "/") }

  func start() async throws(LoopbackServerError) {
    let url = try await server.start(port: port.value)
    port.update { $0 = UInt16(url.port ?? 0) }
  }

  func stop() async { await server.stop() }

  /// Its tokens end by time only.
  func expireTokens() { clock.travel(.seconds(3_600)) }

  func loseAnswer() { server.traffic.set(.usual(.dropAfterProcessing), on: "token refresh_token", times: 1) }
  func endSessions(of user: User) { server.endAllSessions() }

  /// Where a mail's link leads, followed as a browser does.
  func follow(_ link: URL) -> URL? { server.follow(link) }
}
