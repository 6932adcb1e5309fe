import AuthenticationAccount
import AuthenticationAccountPresentation
import AuthenticationDomain
import AuthenticationMultiAccount
import AuthenticationPresentation
import AuthenticationTesting
import Testing

/// Rules of each state of each flow.
@MainActor
@Suite struct PresetTests {
  private static let busy = [
    "loading", "submitting", "verifying", "sending", "resending", "requesting", "asking", "preparing",
    "checking", "resuming", "linking", "changing", "deleting", "signingOut", "retrying", "switching", "removing",
  ]

  @Test func `each state of each flow has a preset`() throws {
    var shown: [String: Set<String>] = [:]
    for preset in AnyPreset.all() {
      let words = preset.name.split(separator: ": ")
      #expect(state(of: preset.model) == words[1].prefix { $0 != "," }, "\(preset.name)")
      shown["\(type(of: preset.model))", default: []].insert(state(of: preset.model))
    }
    var declared: [String: Set<String>] = [:]
    let folders = ["Presentation", "Composition/AuthenticationMultiAccount"]
    for file in try folders.flatMap(SourceFile.all(below:)) {
      guard let model = file.text.firstMatch(of: #/public final class (\w+):/#),
        let states = file.text.firstMatch(of: #/public enum State: [^{]*\{(?s)(.*?)\n  \}/#)
      else { continue }
      declared[String(model.1)] = Set(states.1.matches(of: #/\n    case (\w+)/#).map { String($0.1) })
    }
    #expect(declared.count == 16)
    #expect(shown == declared)
  }

  @Test func `each step of a sign-in has a preset`() {
    let steps = AuthenticationViewModel.presets().compactMap(\.model.step).map { "\($0)".prefix { $0 != "(" } }
    #expect(Set(steps).count == 10)
  }

  // Impossible: busy and showing an error.
  @Test func `nothing that is busy shows a failure or a problem`() {
    for preset in AnyPreset.all() where Self.busy.contains(state(of: preset.model)) {
      #expect(preset.model.failure == nil, "\(preset.name)")
      #expect(preset.model.failureSentence == nil, "\(preset.name)")
    }
  }

  // Impossible: an error step without the error.
  @Test func `each failed state says why, in either language`() {
    for language in [Language.english, .german] {
      for preset in AnyPreset.all(in: Words(language)) where preset.name.hasSuffix("failed") {
        if preset.name == "session: signedOut, failed" { continue }
        #expect(preset.model.failureSentence?.isEmpty == false, "\(preset.name)")
      }
    }
  }

  // Impossible: signed in with no user, signed out with one.
  @Test func `a user is named exactly where one is, or was, signed in`() {
    for preset in AuthenticationViewModel.presets() {
      let hasUser = [.signedIn, .expired].contains(preset.model.shown)
      #expect((preset.model.user != nil) == hasUser, "\(preset.name)")
      #expect((preset.model.step != nil) == [.signedOut, .expired].contains(preset.model.shown), "\(preset.name)")
    }
  }

  // A failure is read because it has the focus: said as well, it would be heard twice.
  @Test func `a failure has the focus or is announced, and not both`() {
    for preset in AnyPreset.all() where preset.model.failure != nil {
      #expect(preset.model.focus != nil, "\(preset.name)")
      #expect(preset.model.announcement == nil, "\(preset.name)")
    }
  }

  @Test func `every sentence of a state is of the language that was asked for`() {
    // The last one's heading is the host's, which knows the step.
    for preset in AnyPreset.all(in: Words(.pseudo)) where preset.name != "sign-in: signedOut, other" {
      let model = preset.model
      let said = [model.title, model.activity, model.failureSentence, model.announcement?.text].compactMap(\.self)
      for sentence in said + model.explanations {
        #expect(sentence.hasPrefix("⟦") && sentence.hasSuffix("⟧"), "\(preset.name)")
      }
    }
  }

  @Test func `a busy preset names its activity`() {
    let silent = ["asking", "preparing", "retrying"]
    for preset in AnyPreset.all() where !silent.contains(state(of: preset.model)) {
      if preset.model is MethodListModel { continue }
      let isBusy = Self.busy.contains(state(of: preset.model))
      #expect((preset.model.activity != nil) == isBusy, "\(preset.name)")
    }
  }

  // Impossible: an error state that nothing leaves.
  @Test func `a model that has failed can be tried again, or left`() {
    for preset in AnyPreset.all() where preset.model.failure != nil {
      let name = preset.name
      let before = state(of: preset.model)
      let turn = preset.model.failure?.turn
      switch preset.model {
      case let model as SignInFormModel:
        for field in model.form?.fields ?? [] { model[field.id] = "ada@example.com" }
        model.submit()
      case let model as CodeEntryModel: model.startAgain()
      case let model as DeviceCodeModel: model.request()
      case let model as ExternalSignInModel: model.start()
      case let model as PasswordResetModel: model.startAgain()
      case let model as AccountModel: before == "shown" ? model.change(.deleteAccount) : model.load()
      case let model as LockedStoreModel: model.retry()
      case let model as OfflineModel: model.retry()
      case let model as AccountSwitcherModel: before == "shown" ? model.remove(model.accounts[0]) : model.read()
      case let model as SessionModel: model.signOut()
      case let model as ReauthenticationModel where before != "failed": model.decline()
      // The first shows one of the others. Of the next two it is the end, as a success is; the last two only follow an
      // attempt, which a preset has not.
      case is AuthenticationViewModel, is ReauthenticationModel, is AccountConflictModel, is NewPasswordModel,
        is ChallengePickerModel:
        continue
      default: Issue.record("Nothing leaves \(name).")
      }
      let model = preset.model
      #expect(state(of: model) != before || model.failure?.turn != turn, "\(name)")
    }
  }

  @Test func `the example's users are greeted, and the failure is told`() {
    #expect(AuthenticationViewModel.newUser().message == "Welcome, new user!")
    #expect(AuthenticationViewModel.returningUser().message == "Welcome back, \u{2068}Ada Lovelace\u{2069}!")
    #expect(
      AuthenticationViewModel.failed().failureSentence
        == "The user name or the password is not correct. Check both, and try again.")
  }

  private func state(of model: FlowModel) -> String {
    guard let state = Mirror(reflecting: model).superclassMirror?.children.first(where: { $0.label == "_state" })?.value
    else { return "" }
    return Mirror(reflecting: state).children.first?.label ?? "\(state)"
  }
}
