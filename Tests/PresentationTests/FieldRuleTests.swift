import AuthenticationDomain
import AuthenticationPresentation
import AuthenticationTesting
import Testing

@MainActor
@Suite(.timeLimit(.minutes(10))) struct FieldRuleTests {
  let world = World()

  private func missing(_ text: String, _ need: SignInMethod.Need, country: String? = nil) -> Bool {
    var flows = world.flows
    flows.rules = FieldRules(countryCode: country)
    let method = SignInMethod(id: "form", displayName: "Form", needs: [need])
    let model = SignInFormModel(method, in: flows)
    model[need] = text
    model.submit()
    return !model.problems.isEmpty
  }

  @Test(arguments: ["ada@example.com", " ada@example.com\u{200B}\n", "用户@例子.广告", "a@b"])
  func `an address with one @ and no blank inside will do, in any alphabet`(text: String) {
    #expect(!missing(text, .emailAddress))
  }

  @Test(arguments: ["", "ada", "ada@", "@example.com", "a da@example.com", "a@b@c"])
  func `text that cannot be an email address is asked for again`(text: String) {
    #expect(missing(text, .emailAddress))
  }

  @Test(arguments: ["+44 20 7946 0018", "0044 (20) 7946-0018", "\u{202A}+44 20 7946 0018\u{202C}", "＋４４ 20 7946 0018"])
  func `a number is taken however it was written`(text: String) {
    #expect(!missing(text, .phoneNumber))
  }

  @Test(arguments: ["", "030 1234567", "+44", "+44 20 CALL ME"])
  func `text that cannot be a phone number is asked for again`(text: String) {
    #expect(missing(text, .phoneNumber))
  }

  @Test func `a country's own numbers need no country code, and a pasted code wins over the country`() async throws {
    let germany = "49"
    #expect(!missing("030 1234567", .phoneNumber, country: germany))
    #expect(try await sent("030 1234567", country: germany) == "+49301234567")
    #expect(try await sent("+44 20 7946 0018", country: germany) == "+442079460018")
    #expect(try await sent("0044 20 7946 0018", country: germany) == "+442079460018")
  }

  private func sent(_ number: String, country: String) async throws -> String {
    let log = Log()
    let process = SignInProcess(.phoneCode) { context throws(AuthenticationError) in
      log.append(context.input[.phoneNumber].reveal())
      throw .cancelled
    }
    var flows = World([process]).flows
    flows.rules = FieldRules(countryCode: country)
    let model = SignInFormModel(.phoneCode, in: flows)
    model[.phoneNumber] = number
    model.submit()
    await model.finished()
    return try #require(log.lines.first)
  }

  @Test func `a name is trimmed, and a password is sent whole, in one spelling`() async throws {
    let log = Log()
    let process = SignInProcess(.password) { context throws(AuthenticationError) in
      log.append(context.input[.userName].reveal())
      log.append(context.input[.password].reveal())
      throw .cancelled
    }
    let model = SignInFormModel(.password, in: World([process]).flows)
    model[.userName] = "\u{FEFF} ada \u{200B}"
    model[.password] = " pa\u{0308}ss "
    model.submit()
    await model.finished()
    #expect(log.lines[0] == "ada")
    #expect(Array(log.lines[1].unicodeScalars) == Array(" p\u{00E4}ss ".unicodeScalars))
  }

  @Test func `an app's own field has the app's own rule and sentence`() {
    let invite = SignInMethod.Need(id: "invite")
    var flows = World(
      words: Words(override: { key, _ in key == "error.invite_length" ? "Enter all eight letters." : nil })
    ).flows
    flows.rules[invite] = FieldRule {
      $0.count == 8 ? nil : AuthenticationError(code: "invite_length", "The invite has 8 letters.")
    }
    let model = SignInFormModel(
      .password, createsAccount: true, needs: [.userName, .password, invite], in: flows)
    model[.userName] = "ada"
    model[.password] = "correct horse"
    model[invite] = "short"
    model.submit()
    #expect(model.failureSentence == "Enter all eight letters.")
    #expect(model.focus?.field == "invite")
  }
}
