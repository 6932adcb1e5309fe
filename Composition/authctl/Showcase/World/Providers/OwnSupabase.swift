import AuthenticationDomainTesting
import AuthenticationKit
import AuthenticationTestingServers
import Foundation

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
      for message in mailbox.value?.undelivered(since: delivered) ?? [] { recorder.deliver(Letter(message)) }
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

extension LoopbackSupabase {
  fileprivate func undelivered(since delivered: AwaitableState<Int>) -> ArraySlice<Message> {
    let messages = messages
    return messages.dropFirst(
      delivered.update { count in
        defer { count = max(count, messages.count) }
        return count
      })
  }
}

extension Letter {
  fileprivate init(_ message: LoopbackSupabase.Message) {
    let address = message.link == nil ? "+" + message.address : message.address
    self.init(address: address, type: message.type, code: message.code, link: message.link)
  }
}
