import AuthenticationAccountPresentation
import AuthenticationDomain
import AuthenticationPresentation
import AuthenticationTesting
import AuthenticationUI
import Foundation
import Testing

/// What a user sees and hears of each state, as text: labels, order, traits and focus. Views draw these parts and no
/// others.
@MainActor
@Suite struct ScreenTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Screens")

  // To take what is shown now: RECORD_SCREENS=1 swift test --filter ScreenTests. The change is then read.
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
      for part in parts(of: preset) {
        let label: String? =
          switch part.content {
          case .heading(let text), .rule(let text, _): text
          case .button(let slot): slot.title
          case .field(let field, let isNew, _): preset.model.words.label(of: field.id, isNew: isNew)
          case .ticking(let sentence): sentence()
          case .qrCode(_, let name): name
          default: nil
          }
        if let label { #expect(label.hasPrefix("⟦") && label.hasSuffix("⟧"), "\(preset.name)") }
      }
    }
  }

  // A focus that names what is not there is lost, and assistive technology starts at the top.
  @Test func `the focus goes to something that is shown`() {
    for preset in AnyPreset.all() {
      let inputs = parts(of: preset).inputs
      switch preset.model.focus {
      case .field(let id, _): #expect(inputs.contains(id), "\(preset.name)")
      case .message: #expect(preset.model.failureSentence != nil, "\(preset.name)")
      case .heading, nil: break
      }
    }
  }

  @Test func `parts are told apart, and so are the buttons of a page`() {
    for preset in AnyPreset.all() {
      let parts = parts(of: preset)
      #expect(Set(parts.map(\.id)).count == parts.count, "\(preset.name)")
      let titles = buttons(of: parts).map(\.title)
      #expect(Set(titles).count == titles.count && !titles.contains(""), "\(preset.name)")
    }
  }

  @Test func `Return and Escape have one meaning on a page, and neither loses anything`() {
    for preset in AnyPreset.all() {
      let kinds = buttons(of: parts(of: preset)).map(\.kind)
      #expect(kinds.count { $0 == .submit } <= 1 && kinds.count { $0 == .cancel } <= 1, "\(preset.name)")
      if kinds.contains(.destructive), preset.name.contains("confirming") {
        #expect(!kinds.contains(.submit), "\(preset.name)")
      }
    }
  }

  /// After these the host shows something else.
  private static let ends = [
    "next", "done", "ended", "asking", "linked", "failed", "expired", "declined", "signedOut", "deleted", "signedIn",
    "open", "resuming", "online",
  ]

  @Test func `what waits for the user offers something to do`() {
    for preset in AnyPreset.all() {
      let parts = parts(of: preset)
      let isWaiting = parts.contains { if case .activity = $0.content { true } else { false } }
      let state = preset.name.split(separator: ": ")[1].prefix { $0 != "," }
      if !Self.ends.contains(String(state)) { #expect(isWaiting || !buttons(of: parts).isEmpty, "\(preset.name)") }
    }
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
    model.createAccount()
    try press("sign_up.back.button", in: model)
    guard case .methods = model.step else {
      Issue.record("The form for an account does not lead back.")
      return
    }
  }

  @Test func `the form of the only method leads nowhere else`() async throws {
    let model = AuthenticationViewModel(World([.password]).flows)
    await model.finished()
    #expect(
      parts(of: model).map(\.id) == [
        "input-user_name", "input-password", "form.submit.button", "form.sign_up.button",
      ])
  }

  private func parts(of model: AuthenticationViewModel) -> [ScreenPart] {
    let screen: any DrawnScreen = model
    return screen.shown.parts(model.exits)
  }

  private func press(_ key: String, in model: AuthenticationViewModel) throws {
    let button = try #require(parts(of: model).first { $0.id == key })
    if case .button(let slot) = button.content { slot.action() }
  }

  // MARK: The text.

  private let everyExit = ScreenExits(signIn: {}, signUp: {}, forgot: {}, back: {}, mail: {})

  /// Of a screen and of what is shown within it.
  private func parts(of preset: AnyPreset) -> [ScreenPart] {
    guard let screen = preset.model as? any DrawnScreen else { return [] }
    let exits = (screen as? AuthenticationViewModel)?.exits ?? everyExit
    let shown = screen.shown === screen ? [] : screen.shown.parts(exits)
    if screen.isPage { return screen.shown === screen ? screen.parts(exits) : shown }
    return screen.parts(exits).flatMap { if case .step = $0.content { shown } else { [$0] } }
  }

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
    if (model as? any DrawnScreen)?.shown.isPage == true {
      line("heading", model.title, focus(model.focus == .heading))
      if let sentence = model.failureSentence { line("message", sentence, focus(model.focus?.isMessage == true)) }
      for sentence in model.explanations { line("text", sentence) }
    }
    for part in parts(of: preset) {
      let isFocused = focus(part.input.map { model.focus?.field == $0 } ?? false)
      switch part.content {
      case .text(let sentence): line("text", sentence)
      case .heading(let title): line("heading of a list", title)
      case .ticking(let sentence): if let sentence = sentence() { line("text", sentence, "read when asked") }
      case .verbatim(let text, let kind): line("\(kind)", text, "left to right")
      case .qrCode(let text, let name): line("QR code", name ?? "", name == nil ? "hidden" : "image", "of \"\(text)\"")
      case .field(let field, let isNew, let typed):
        let problem = field.problem.map { "problem \"\(model.words.sentence(for: $0))\"" }
        let text = typed.get().isEmpty ? nil : field.isSecret ? "filled" : "holds \"\(typed.get())\""
        line(
          field.isSecret ? "secret input" : "input", model.words.label(of: field.id, isNew: isNew), text,
          isNew ? "new" : nil, problem, field.isLocked ? "locked" : nil, isFocused)
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
      case .activity(let title): line("activity", title)
      case .step: break
      }
    }
    if let said = model.announcement { line("announced", said.text, said.isAssertive ? "at once" : nil) }
    return lines.joined(separator: "\n")
  }
}
