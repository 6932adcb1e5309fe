import AuthenticationAccountPresentation
import AuthenticationDomain
import AuthenticationPresentation
import AuthenticationScreens
import AuthenticationTesting
import AuthenticationUI
import Foundation
import Testing

/// Each state as text: labels, order, traits and focus. Between an app's header and footer views draw these parts and
/// no others.
@MainActor
@Suite struct ScreenTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Screens")

  // To record the present screens: RECORD_SCREENS=1 swift test --filter ScreenTests. The change is then read.
  @Test(arguments: ["en", "de"]) func `each state looks as it was read, in either language`(tag: String) throws {
    let shown = AnyPreset.all(in: Words(tag == "de" ? .german : .english)).map(text(of:))
    let file = Self.folder.appending(path: "\(tag).txt")
    if ProcessInfo.processInfo.environment["RECORD_SCREENS"] != nil {
      try shown.joined(separator: "\n\n").appending("\n").write(to: file, atomically: true, encoding: .utf8)
      Issue.record("\(file.lastPathComponent) was written: read it, and run the test again.")
    }
    let read = try String(contentsOf: file, encoding: .utf8).dropLast().components(separatedBy: "\n\n")
    for (shown, read) in zip(shown, read) { #expect(shown == read) }
    #expect(shown.count == read.count)
  }

  @Test func `each language shows the same parts in the same order`() {
    func shape(_ preset: AnyPreset) -> String { text(of: preset).replacing(/"[^"\n]*"/, with: "\"\"") }
    let english = AnyPreset.all().map(shape)
    #expect(AnyPreset.all(in: Words(.german)).map(shape) == english)
    #expect(AnyPreset.all(in: Words(.pseudo)).map(shape) == english)
  }

  @Test func `each label is of the language that was asked for`() {
    for preset in AnyPreset.all(in: Words(.pseudo)) {
      for part in preset.page {
        let label: String? =
          switch part.content {
          case .title(let text), .message(let text), .heading(let text), .rule(let text, _), .text(let text): text
          case .button(let slot): slot.title
          case .terms(_, let terms, _): preset.model.words.label(of: terms)
          case .field(let field, let isNew, _): preset.model.words.label(of: field.id, isNew: isNew)
          case .countdown(let key, _, let seconds): preset.model.words.sentence(key, secondsLeft: seconds())
          case .activity(let title): title
          case .qrCode(_, let name): name
          default: nil
          }
        if let label { #expect(label.hasPrefix("⟦") && label.hasSuffix("⟧"), "\(preset.name)") }
      }
    }
  }

  // A focus on a missing part is lost, and assistive technology starts at the top.
  @Test func `the focus goes to something that is shown`() {
    for preset in AnyPreset.all() {
      let inputs = preset.page.inputs
      switch preset.model.focus {
      case .field(let id, _): #expect(inputs.contains(id), "\(preset.name)")
      case .message: #expect(preset.model.failureSentence != nil, "\(preset.name)")
      case .heading, nil: break
      }
    }
  }

  @Test func `parts are told apart, and so are the buttons of a page`() {
    for preset in AnyPreset.all() {
      let parts = preset.page
      #expect(Set(parts.map(\.id)).count == parts.count, "\(preset.name)")
      let titles = buttons(of: parts).map(\.title)
      #expect(Set(titles).count == titles.count && !titles.contains(""), "\(preset.name)")
    }
  }

  @Test func `Return and Escape have one meaning on a page, and neither loses anything`() {
    for preset in AnyPreset.all() {
      let buttons = preset.page.compactMap { part in
        if case .button(let slot) = part.content { (id: part.id, kind: slot.kind) } else { nil }
      }
      let submits = buttons.filter { $0.kind == .submit }.map(\.id)
      #expect(submits.count <= 1 && buttons.count { $0.kind == .cancel } <= 1, "\(preset.name)")
      #expect(!submits.contains { $0.contains("delete") || $0.contains("sign_out.button") }, "\(preset.name)")
    }
  }

  /// From these the host continues: it reads the state.
  private static let ends = Set(
    ["form", "sign-up", "code", "device", "browser", "sheet", "passkey"].flatMap { ["\($0): next", "\($0): done"] } + [
      "sign-in: signedIn", "sign-in: signedIn, new", "session: signedOut", "session: signedOut, pending",
      "session: signedOut, failed", "session: signedOut, not elsewhere", "conflict: linked", "conflict: next",
      "conflict: failed", "conflict: expired", "conflict: declined", "re-authentication: done",
      "re-authentication: failed", "re-authentication: declined", "account: deleted", "offline: online",
      "accounts: shown, none",
    ])

  @Test func `each state offers something to do, waits, or has ended`() {
    let mute = AnyPreset.all().filter { preset in
      !preset.page.contains { part in
        switch part.content {
        case .button, .activity: true
        default: false
        }
      }
    }
    #expect(Set(mute.map(\.name)) == Self.ends)
  }

  // MARK: Ways back.

  @Test func `each step that was chosen leads back to the list`() async throws {
    let elsewhere = [SignInMethod.device, .browser, .passkey].map { method in
      SignInProcess(method) { _ async throws(AuthenticationError) in throw .cancelled }
    }
    let world = World([.password, .phoneCode, .emailLink] + elsewhere)
    let model = AuthenticationViewModel(world.flows)
    await model.finished()
    for method in world.flows.attempts.methods {
      model.choose(method)
      try press("code.other.button", in: model)
      guard case .methods = model.step else {
        Issue.record("\(method) does not lead back.")
        continue
      }
    }
  }

  @Test func `a fresh start cancels the attempt in progress, also while no step is shown`() async throws {
    let world = World()
    world.answer(.success(world.session()))
    let model = AuthenticationViewModel(world.flows)
    try await world.manager.login(username: "ada", password: "correct horse")
    await model.finished()
    #expect(model.step == nil)
    let attempt = try world.flows.attempts.begin(.password)
    model.startAgain()
    #expect(attempt.state.isEnded)
  }

  @Test func `the form for a new account leads back to the form before it, with the typed input`() async throws {
    let model = AuthenticationViewModel(World().flows)
    await model.finished()
    model.choose(.password)
    model.userName = "ada"
    try press("form.sign_up.button", in: model)
    #expect(isCreating(model) == true)
    try press("sign_up.back.button", in: model)
    #expect(isCreating(model) == false)
    #expect(model.userName == "ada")
  }

  @Test func `an account that exists is signed in to by the name that was typed`() async throws {
    let world = World([.password])
    let model = AuthenticationViewModel(world.flows)
    await model.finished()
    model.createAccount()
    guard case .form(let form) = model.step else {
      Issue.record("No form.")
      return
    }
    (form[.userName], form[.password]) = ("ada", "correct horse")
    world.provider.answerSignIn(.failure(.accountExists))
    form.submit()
    await model.finished()
    try press("sign_up.exists.sign_in", in: model)
    #expect(isCreating(model) == false)
    #expect(model.userName == "ada")
  }

  @Test func `an app without passwords offers no account with one`() async throws {
    let model = AuthenticationViewModel(World([.phoneCode]).flows)
    await model.finished()
    #expect(parts(of: model).map(\.id) == ["input-phone_number", "form.submit.button"])
  }

  @Test func `the form of the only method leads nowhere else`() async throws {
    let model = AuthenticationViewModel(World([.password]).flows)
    await model.finished()
    #expect(
      parts(of: model).map(\.id) == [
        "input-user_name", "input-password", "form.submit.button", "form.sign_up.button",
      ])
  }

  @Test func `a value that a view keeps is made once`() {
    var count = 0
    let kept = Kept<Int>()
    for _ in 0..<3 {
      #expect(
        kept.value {
          count += 1
          return count
        } == 1)
    }
  }

  /// Whether the form that is shown creates an account; nil if no form is.
  private func isCreating(_ model: AuthenticationViewModel) -> Bool? {
    if case .form(let form) = model.step { form.createsAccount } else { nil }
  }

  private func parts(of model: AuthenticationViewModel) -> [ScreenPart] {
    model.screen.shown.parts(model.exits)
  }

  private func press(_ key: String, in model: AuthenticationViewModel) throws {
    let button = try #require(parts(of: model).first { $0.id == key })
    if case .button(let slot) = button.content { slot.action() }
  }

  // MARK: The text.

  private func buttons(of parts: [ScreenPart]) -> [ButtonSlot] {
    parts.compactMap { if case .button(let slot) = $0.content { slot } else { nil } }
  }

  private func text(of preset: AnyPreset) -> String {
    let model = preset.model
    var lines = [preset.name]
    func line(_ role: String, _ label: String, _ traits: String?...) {
      lines.append("  " + (["\(role) \"\(label)\""] + traits.compactMap(\.self)).joined(separator: ", "))
    }
    func focus(_ place: Bool) -> String? { place ? "focus" : nil }
    for part in preset.page {
      let isFocused = focus(part.input.map { model.focus?.field == $0 } ?? false)
      switch part.content {
      case .title(let title): line("title", title, focus(model.focus == .heading))
      case .message(let sentence): line("message", sentence, focus(model.focus?.isMessage == true))
      case .text(let text), .name(let text): line("text", text)
      case .heading(let title): line("heading", title)
      case .countdown(let key, _, let seconds):
        let sentence = model.words.sentence(key, secondsLeft: seconds())
        if let sentence { line("text", sentence, "read when asked") }
      case .verbatim(let text, let kind): line("\(kind)", text, "left to right")
      case .qrCode(let text, let name): line("QR code", name ?? "", name == nil ? "hidden" : "image", "of \"\(text)\"")
      case .field(let field, let isNew, let typed):
        let problem = field.problem.map { "problem \"\(model.words.sentence(for: $0))\"" }
        let text = typed.get().isEmpty ? nil : field.isSecret ? "filled" : "holds \"\(typed.get())\""
        line(
          field.isSecret ? "secret input" : "input", model.words.label(of: field.id, isNew: isNew), text,
          isNew ? "new" : nil, problem, field.isLocked ? "locked" : nil, isFocused)
      case .terms(let field, let terms, let typed):
        let problem = field.problem.map { "problem \"\(model.words.sentence(for: $0))\"" }
        line(
          "checkbox", model.words.label(of: terms), typed.get().isEmpty ? nil : "checked", problem,
          terms.url.map { "link to \"\($0)\"" }, isFocused)
      case .codeField(let problem, let typed):
        line(
          "input", model.words("field.code.label"), typed.get().isEmpty ? nil : "holds \"\(typed.get())\"", "code",
          problem.map { "problem \"\(model.words.sentence(for: $0))\"" }, isFocused)
      case .rule(let sentence, let isMet): line("rule", sentence, isMet ? "met" : "not met")
      case .userName(let name): line("input", name, "hidden", "user name")
      case .button(let slot):
        line(
          "button", slot.title, "\(slot.kind)".prefix { $0 != "(" }.description,
          slot.remark.map { "remark \"\($0)\"" }, slot.activity.map { "works on \"\($0)\"" })
      case .activity(let title): line("activity", title ?? "")
      case .step: break
      }
    }
    if let said = model.announcement { line("announced", said.text, said.isAssertive ? "at once" : nil) }
    return lines.joined(separator: "\n")
  }
}
