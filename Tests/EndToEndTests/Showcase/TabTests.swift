import AuthenticationTestingServers
import Testing

@testable import showcase

@MainActor
@Suite(.timeLimit(.minutes(10))) struct TabTests {
  @Test func `a tab is sent a whole snapshot when another one has changed something`() async throws {
    let server = try await ShowcaseServer(port: 0)
    let showcase = server.showcase
    showcase.product.longestWait = .seconds(600)
    let visitor = showcase.visitors.welcome()
    var events = Tab(showcase, at: .home, of: visitor).events().makeAsyncIterator()
    await showcase.product.waitForResult()
    _ = await showcase.product.perform(Intent("method.password"), FormFields(""), at: .home)
    var event = try #require(await events.next())
    while !event.contains(#""step":"form""#) { event = try #require(await events.next()) }
    #expect(event.hasPrefix("event: snapshot\nid: "))
    #expect(event.hasSuffix("}\n\n"))
    for region in ["product", "mailbox", "backstage"] { #expect(event.contains("\"\(region)\":{")) }
    #expect(event.contains(visitor.token))
    await server.stop()
  }

  @Test func `a tab's events end with the showcase`() async throws {
    let server = try await ShowcaseServer(port: 0)
    let events = Tab(server.showcase, at: .home, of: server.showcase.visitors.welcome()).events()
    await server.stop()
    for await _ in events {}
  }

  @Test func `two drawings of the same state are the same, whatever the seconds and the forms`() async throws {
    let server = try await ShowcaseServer(port: 0)
    let scene = server.showcase.scene(at: .home, for: server.showcase.visitors.welcome())
    let other = scene.sealed(Seal(of: server.showcase.visitors.welcome()))
    #expect(scene.versions() == other.versions())
    #expect(scene.document.markup != other.document.markup)
    await server.stop()
  }
}
