import AuthenticationKit
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import Testing

/// Terms that a user agrees to when an account is created.
@MainActor
@Suite(.timeLimit(.minutes(10))) struct TermsOverHTTPTests {
  let server = LoopbackIdentityServer()

  private func form(createsAccount: Bool = true) async throws -> SignInFormModel {
    let root = try MainRoot(.api(baseURL: try await server.start())) { $0.storage = .inMemory }
    var flows = root.flows()
    flows.terms = [
      Terms("terms.use", version: "2026-03", title: "Terms of use", url: URL(string: "https://www.example.com/terms")),
      Terms("terms.newsletter", version: "1", title: "Newsletter", isRequired: false),
    ]
    let form = SignInFormModel(.password, createsAccount: createsAccount, in: flows)
    form[.userName] = createsAccount ? "edith" : "ada"
    form[.password] = createsAccount ? "clarke" : "correct horse"
    return form
  }

  private let use = SignInMethod.Need(id: "terms.use")
  private let newsletter = SignInMethod.Need(id: "terms.newsletter")

  @Test func `the version of the terms that the user agrees to is kept with the account`() async throws {
    let form = try await form()
    #expect(
      form.form?.fields.compactMap(\.terms).map { form.words.label(of: $0) }
        == ["I agree: \u{2068}Terms of use\u{2069} (required)", "I agree: \u{2068}Newsletter\u{2069}"])
    form[use] = "yes"
    form.submit()
    await form.finished()
    guard case .done = form.state else {
      Issue.record("\(form.state)")
      return
    }
    #expect(server.account(ofUser: "edith")?.terms == ["use": "2026-03"])
    let body = try #require(server.requests(on: .signUp).first?.body)
    #expect(
      String(decoding: body, as: UTF8.self)
        == #"{"password":"clarke","terms":{"use":"2026-03"},"username":"edith"}"#)
  }

  @Test func `without consent to required terms nothing is sent, and the box gets the focus`() async throws {
    let form = try await form()
    form[newsletter] = "yes"
    form.submit()
    #expect(form.problems == [.termsNotAccepted])
    #expect(form.failureSentence == "Agree to what is required to create the account.")
    #expect(form.focus == .field("terms.use", turn: 1))
    form[use] = "yes"
    #expect(form.problems.isEmpty)
    form[use] = ""
    #expect(form.problems == [.termsNotAccepted])
    #expect(server.counters.requests(on: .signUp) == 0)
  }

  @Test func `optional terms are sent if the user agrees`() async throws {
    let form = try await form()
    for need in [use, newsletter] { form[need] = "yes" }
    form.submit()
    await form.finished()
    #expect(server.account(ofUser: "edith")?.terms == ["use": "2026-03", "newsletter": "1"])
  }

  @Test func `a sign-in asks for no consent`() async throws {
    let form = try await form(createsAccount: false)
    #expect(form.form?.fields.count == 2)
    form.submit()
    await form.finished()
    #expect(
      server.requests(on: .signIn).first?.body == Data(#"{"password":"correct horse","username":"ada"}"#.utf8))
  }
}
