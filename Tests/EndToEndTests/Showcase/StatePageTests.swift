import AuthenticationData
import AuthenticationTesting
import Foundation
import Testing

@testable import showcase

/// The pages with each state of each flow, which are there to be looked at.
@Suite(.timeLimit(.minutes(10))) struct StatePageTests {
  @Test func `each state has a page with one heading that says something`() async throws {
    var browser = try ShowcaseBrowser(await ShowcaseServer(port: 0))
    let names = await MainActor.run { AnyPreset.all().map { $0.name } }
    try await browser.open("/states")
    #expect(browser.page.components(separatedBy: "<li>").count - 1 == names.count)
    for (number, name) in names.enumerated() {
      try await browser.open("/states?of=\(number)")
      #expect(browser.page.matches(of: /<h1[^>]*>[^<]+<\/h1>/).count == 1, "\(name)")
    }
    await browser.server.stop()
  }

  @Test func `a form of such a page changes nothing`() async throws {
    var browser = try ShowcaseBrowser(await ShowcaseServer(port: 0))
    try await browser.open()
    try await browser.open("/states?of=3")
    let form = try browser.form(of: "submit").merging(["user_name": "ada", "password": "correct horse"]) { $1 }
    #expect(try await browser.send(form.merging(["intent": "submit"]) { $1 }).status == 403)
    await browser.server.stop()
  }

  @Test(arguments: ["-1", "100000", "x", "%00"]) func `a state that is not there is no page`(number: String)
    async throws
  {
    var browser = try ShowcaseBrowser(await ShowcaseServer(port: 0))
    #expect(try await browser.get("/states?of=\(number)").status == 404)
    await browser.server.stop()
  }
}
