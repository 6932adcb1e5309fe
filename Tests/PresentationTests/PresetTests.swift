import AuthenticationDomain
import AuthenticationPresentation
import AuthenticationTesting
import Testing

/// What holds in each state of each flow.
@MainActor
@Suite struct PresetTests {
  private static let busy = [
    "loading", "submitting", "verifying", "sending", "resending", "requesting", "starting", "inBrowser", "prompting",
    "preparing", "checking", "resuming", "linking", "changing", "deleting", "signingOut", "retrying",
  ]

  @Test func `each state of each flow has a preset`() {
    let states: [String: [String]] = [
      "sign-in": ["unknown", "storeLocked", "signedOut", "expired", "signedIn"],
      "methods": ["loading", "ready", "unavailable"],
      "form": ["editing", "submitting", "lockedOut", "challenged", "done"],
      "sign-up": ["editing", "submitting", "confirming", "waiting", "alreadyExists", "next", "done"],
      "code": ["editing", "verifying", "sending", "expired", "spent", "next", "done", "ended"],
      "link": [
        "askingEmail", "sending", "waiting", "resending", "verifying", "openedElsewhere", "proving", "expired", "next",
        "done",
      ],
      "device": ["idle", "requesting", "showing", "denied", "expired", "failed", "next", "done"],
      "browser": ["idle", "starting", "inBrowser", "failed", "next", "done"],
      "passkey": ["idle", "offered", "prompting", "failed", "next", "done"],
      "factors": ["choosing", "preparing", "asking", "ended"],
      "new password": ["editing", "submitting", "next", "done", "ended"],
      "reset": [
        "askingAccount", "requesting", "sent", "enteringCode", "verifying", "resending", "expired", "editingNew",
        "submitting", "done",
      ],
      "conflict": ["conflict", "proving", "linking", "linked", "next", "failed", "expired", "declined"],
      "re-authentication": [
        "required", "askingPassword", "askingCode", "checking", "proving", "resuming", "done", "failed", "declined",
      ],
      "session": ["unknown", "shown", "confirming", "signingOut", "signedOut"],
      "account": [
        "loading", "unavailable", "shown", "changing", "enrolling", "verifying", "next", "confirmingDeletion",
        "deleting",
        "reauthenticating", "deleted",
      ],
      "locked store": ["locked", "retrying", "open"], "offline": ["online", "offline", "retrying"],
    ]
    var shown: [String: Set<String>] = [:]
    for preset in AnyPreset.all() {
      let words = preset.name.split(separator: ": ")
      #expect(state(of: preset.model) == words[1].prefix { $0 != "," }, "\(preset.name)")
      shown[String(words[0]), default: []].insert(state(of: preset.model))
    }
    #expect(shown == states.mapValues(Set.init))
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
  @Test func `somebody is named exactly where somebody is, or was, signed in`() {
    for preset in AuthenticationViewModel.presets() {
      let isSomebody = [.signedIn, .expired].contains(preset.model.shown)
      #expect((preset.model.user != nil) == isSomebody, "\(preset.name)")
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
    for preset in AnyPreset.all(in: Words(.pseudo)) {
      for sentence in [preset.model.failureSentence, preset.model.announcement?.text].compactMap(\.self) {
        #expect(sentence.hasPrefix("⟦") && sentence.hasSuffix("⟧"), "\(preset.name)")
      }
    }
  }

  @Test func `the example's people are greeted, and the failure is told`() {
    #expect(AuthenticationViewModel.newUser().message == "Welcome, new user!")
    #expect(AuthenticationViewModel.returningUser().message == "Welcome back, \u{2068}Ada Lovelace\u{2069}!")
    #expect(
      AuthenticationViewModel.failed().failureSentence
        == "The user name or the password is not correct. Check both, and try again.")
  }

  private func state(of model: any FlowModel) -> String {
    let state = model.state
    return Mirror(reflecting: state).children.first?.label ?? "\(state)"
  }
}
