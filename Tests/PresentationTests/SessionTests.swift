import AuthenticationAccount
import AuthenticationAccountPresentation
import AuthenticationDomain
import AuthenticationPresentation
import AuthenticationScreens
import AuthenticationTesting
import Testing
import Foundation

@MainActor
@Suite(.timeLimit(.minutes(10))) struct SessionTests {
  let clock = ManualClock()
  let control = ScriptedAuthManager(.unknown)
  let account = ScriptedAccount()
  let flows: FlowEnvironment

  init() {
    flows = FlowEnvironment(
      attempts: SignInAttempts([.password], useCase: control, clock: clock), control: control, clock: clock)
  }

  private func active(
    _ user: User = .ada, _ freshness: ActiveSession.Freshness = .fresh, unsaved: AuthenticationError? = nil
  ) -> AuthenticationState {
    .signedIn(
      ActiveSession(session: .sample(of: user, receivedAt: clock.now), freshness: freshness, unsaved: unsaved))
  }

  @Test func `a session shows its user, its expiry, whether it is stale, and whether it is saved`() {
    control.set(active(.ada, .stale, unsaved: .storageUnavailable))
    let model = SessionModel(in: flows, provider: "Example")
    #expect(model.summary?.user == .ada)
    #expect(model.summary?.expiresAt == clock.now.addingTimeInterval(3_600))
    #expect(model.summary?.freshness == .stale)
    #expect(
      model.explanations == [
        "Not checked with the service since it went offline",
        "Not saved yet: you may have to sign in again after a restart.",
      ])
    #expect(model.provider == "Example")
    #expect(model.failure?.error == .storageUnavailable)
  }

  @Test func `signing out here succeeds although the provider cannot be reached, which is told apart`() async {
    control.set(active())
    let model = SessionModel(in: flows, deliver: { [.unreachable] })
    model.signOut()
    control.set(.signedOut(.requested))
    #expect(model.isWorking)
    #expect(model.failure == nil)
    await model.finished()
    #expect(model.state == .signedOut(.requested, .failed(.unreachable)))
    #expect(
      model.announcement?.text
        == "You are signed out here. The service is told as soon as it can be reached.")
  }

  @Test func `signing out everywhere signs out here at once, and tells that other devices may still be signed in`()
    async
  {
    control.set(active())
    let gate = Gate()
    gate.close()
    let model = SessionModel(in: flows, canSignOutEverywhere: true) {
      await gate.pass()
      return [.unreachable, AuthenticationError(.otherSessionsRemain, ""), .unreachable]
    }
    model.signOut(scope: .everywhere)
    control.set(.signedOut(.requested))
    await gate.waitForArrivals(1)
    #expect(control.signOuts.map(\.scope) == [.everywhere])
    #expect(model.state == .signedOut(.requested, .pending))
    gate.open()
    await model.finished()
    #expect(
      model.remoteSentence
        == "You are signed out here, but perhaps not on your other devices. Sign in again to sign out there.")
    #expect(model.announcement?.text == model.remoteSentence)
  }

  @Test func `a user is signed out here although the others were lost sight of, and is told so`() async {
    control.set(active())
    let lost = AuthenticationError(.otherSessionsRemain, "")
    control.answerSignOut(.failure(lost))
    let model = SessionModel(in: flows, canSignOutEverywhere: true)
    model.signOut(scope: .everywhere)
    control.set(.signedOut(.requested))
    await model.finished()
    #expect(model.state == .signedOut(.requested, .failed(lost)))
  }

  @Test func `a user who could not be signed out elsewhere is told so above the form, too`() async {
    control.set(active())
    control.answerSignOut(.failure(AuthenticationError(.otherSessionsRemain, "")))
    let session = SessionModel(in: flows, canSignOutEverywhere: true)
    let model = AuthenticationViewModel(flows, session: session)
    session.signOut(scope: .everywhere)
    control.set(.signedOut(.requested))
    await session.finished()
    await model.waited { model.shown == .signedOut }
    #expect(
      model.notice
        == "You are signed out here, but perhaps not on your other devices. Sign in again to sign out there.")
    #expect(model.announcement?.text == model.notice)
  }

  private static let notErased =
    "You are signed out, but your sign-in could not be removed from this device: after a restart you may be signed in "
    + "again. Try again."

  /// A session whose store refuses to erase it when the user signs out.
  private func refused() async -> (session: SessionModel, model: AuthenticationViewModel) {
    control.set(active())
    control.answerSignOut(.failure(.storageUnavailable))
    let session = SessionModel(in: flows, deliver: { [] })
    let model = AuthenticationViewModel(flows, session: session)
    session.signOut()
    control.set(.signedOut(.requested))
    await session.finished()
    await model.waited { model.shown == .signedOut }
    return (session, model)
  }

  @Test func `a sign-out that the store refuses is told by each model, and can be tried again`() async {
    let (session, model) = await refused()
    #expect(session.summary == nil)
    #expect(session.remoteSentence == Self.notErased)
    #expect(session.announcement?.text == Self.notErased)
    #expect(session.announcement?.isAssertive == true)
    #expect(model.notice == Self.notErased)
    #expect(model.announcement?.text == Self.notErased)
    #expect(session.canRetrySignOut)
    control.answerSignOut(.success(()))
    model.session.signOut()
    model.session.signOut()
    await session.finished()
    #expect(session.state == .signedOut(.requested, .ended))
    #expect(!session.canRetrySignOut)
    #expect(model.notice == nil)
    #expect(control.messages.filter { $0 == .signOut }.count == 2)
  }

  @Test func `a store that refuses again is told again`() async {
    let (session, model) = await refused()
    let turns = (session.announcement?.turn, model.announcement?.turn)
    session.signOut()
    await session.finished()
    #expect(session.canRetrySignOut)
    #expect(session.announcement?.text == Self.notErased)
    #expect(session.announcement?.turn != turns.0)
    #expect(model.announcement?.turn != turns.1)
  }

  @Test func `nothing is left of a refused sign-out once a new session has replaced it`() async {
    let (session, model) = await refused()
    control.set(active(.grace))
    await session.waited { session.summary?.user == .grace }
    control.set(.signedOut(.requested))
    await session.waited { session.summary == nil }
    #expect(!session.canRetrySignOut)
    #expect(session.remoteSentence == nil)
    await model.waited { model.shown == .signedOut }
    #expect(model.notice == nil)
  }

  @Test func `a sign-out that cannot even read the store keeps the question on the screen`() async {
    control.set(active())
    control.answerSignOut(.failure(.storageUnavailable), .success(()))
    let model = SessionModel(in: flows)
    model.signOut()
    control.set(.unavailable(.storageUnavailable))
    await model.finished()
    #expect(model.failure?.error == .storageUnavailable)
    #expect(model.summary?.user == .ada)
    model.signOut()
    control.set(.signedOut(.requested))
    await model.finished()
    #expect(model.state == .signedOut(.requested, .inBackground))
  }

  @Test func `a deleted account whose session the store keeps is told as deleted, and the rest can be tried again`()
    async
  {
    control.set(active())
    account.offer([.delete])
    let page = AccountModel(account, of: .ada, in: flows)
    let model = AuthenticationViewModel(flows)
    page.load()
    await page.finished()
    page.change(.deleteAccount)
    account.answer(.failure(.storageUnavailable))
    account.gate.close()
    page.confirmDeletion()
    await account.gate.waitForArrivals(1)
    control.set(.signedOut(.accountDeleted))
    account.gate.open()
    await page.finished()
    guard case .deleted = page.state else {
      Issue.record("Not deleted: \(page.state)")
      return
    }
    #expect(page.explanations == [Self.notErased])
    #expect(page.announcement?.text == "Your account was deleted. " + Self.notErased)
    await model.waited { model.notice == Self.notErased }
    page.confirmDeletion()
    await page.finished()
    #expect(page.explanations.isEmpty)
    #expect(model.notice == nil)
    #expect(account.asked == ["delete"])
    #expect(control.messages.filter { $0 == .signOut }.count == 1)
  }

  @Test func `a loss is confirmed before anything ends, here or elsewhere, and goes by its name`() async {
    control.set(active())
    control.answerSignOut(.failure(.confirmationRequired(losing: SignOutLoss("drafts"))), .success(()))
    let model = SessionModel(in: flows, canSignOutEverywhere: true)
    model.signOut(scope: .everywhere)
    await model.finished()
    guard case .confirming(_, SignOutLoss("drafts"), true) = model.state else {
      Issue.record("Not asked: \(model.state)")
      return
    }
    #expect(model.focus == .heading)
    model.confirm()
    await model.finished()
    #expect(control.signOuts.map(\.scope) == [.everywhere, .everywhere])
    #expect(control.signOuts.map(\.loss) == [nil, SignOutLoss("drafts")])
  }

  @Test func `a loss of the app's own is asked about in the app's words, or in words that fit any`() {
    let drafts = SignOutLoss("drafts")
    let own = Words(override: { key, _ in key == "session.loss.title.drafts" ? "Throw your drafts away?" : nil })
    #expect(own.question(about: drafts) == "Throw your drafts away?")
    #expect(own.explanation(of: drafts).hasPrefix("Some of what you have here is nowhere else"))
    #expect(own.question(about: .anonymousAccount) == "Sign out and lose this account?")
  }

  @Test func `a session says for how long it is valid`() {
    control.set(active())
    let model = SessionModel(in: flows)
    func said() -> String? { model.words.sentence("session.card.expires", secondsLeft: model.secondsLeft) }
    #expect(said() == "Valid for 60 minutes more")
    clock.advance(by: .seconds(3_570))
    #expect(said() == "Valid for 30 seconds more")
    clock.advance(by: .seconds(30))
    #expect(said() == nil)
  }

  @Test func `an account that would be lost for ever is asked about, and kept`() async {
    control.set(active())
    control.answerSignOut(.failure(.confirmationRequired(losing: .anonymousAccount)), .success(()))
    let model = SessionModel(in: flows)
    model.signOut()
    await model.finished()
    guard case .confirming(_, .anonymousAccount, false) = model.state else {
      Issue.record("Not asked: \(model.state)")
      return
    }
    model.keep()
    #expect(model.summary?.user == .ada)
    #expect(control.messages.filter { $0 == .signOut }.count == 1)
  }

  @Test func `a sign-out elsewhere shows`() async {
    control.set(active())
    let model = SessionModel(in: flows)
    control.set(.signedOut(.elsewhere))
    await model.waited { model.summary == nil }
    #expect(model.state == .signedOut(.elsewhere, .inBackground))
  }

  @Test func `two taps sign out once`() async {
    control.set(active())
    let model = SessionModel(in: flows)
    model.signOut()
    model.signOut()
    await model.finished()
    #expect(control.messages.filter { $0 == .signOut }.count == 1)
  }

  @Test func `no summary holds a token`() {
    control.set(active())
    let model = SessionModel(in: flows)
    var text = "\(model.state)"
    dump(model.state, to: &text)
    #expect(!text.contains("access-1"))
  }

  @Test func `a store that is locked signs no user out, and is read again by one tap`() async {
    control.set(.unavailable(.userPresenceRequired))
    let model = LockedStoreModel(in: flows)
    #expect(model.failureSentence == "Unlock the secure storage of this device to go on.")
    model.retry()
    #expect(model.failure == nil)
    await model.finished()
    #expect(control.messages == [.restore])
    #expect(model.failure?.turn == 2, "still locked: the message has the focus again")
    control.set(active())
    await model.waited { model.state == .open }
  }

  @Test func `offline is told while the user stays signed in`() async {
    control.set(active(.ada, .stale))
    control.answerSession(.failure(.unreachable))
    let model = OfflineModel(control, in: flows)
    #expect(model.state == .offline(.ada, nil))
    #expect(model.announcement?.text == "You are offline. You stay signed in.")
    model.retry()
    #expect(model.failure == nil)
    await model.finished()
    #expect(model.failure?.error == .unreachable)
    control.set(active())
    await model.waited { model.state == .online }
  }

  @Test func `a user who tries again by hand is not kept waiting by earlier failures`() async {
    control.set(active(.ada, .stale))
    let source = AskedSource()
    let model = OfflineModel(source, in: flows)
    model.retry()
    await model.finished()
    #expect(source.log.lines == ["by hand: true"])
  }

  @Test func `before the store was read neither the list nor the form flashes`() async {
    let list = MethodListModel(in: flows)
    let model = AuthenticationViewModel(flows)
    #expect(list.state == .loading)
    #expect(model.shown == .unknown)
    control.set(.signedOut(.absent))
    await list.waited { list.state != .loading }
    #expect(list.state == .ready([.password], lastUsed: nil))
  }

  @Test func `the method that was used last is a hint, kept without a name`() async {
    let log = Log()
    control.set(active())
    control.answerSignIn(.success(.ada))
    var flows = flows
    flows.lastMethod = (read: { log.lines.last }, write: { log.append($0) })
    let form = SignInFormModel(.password, in: flows)
    form[.userName] = "ada"
    form[.password] = "correct horse"
    form.submit()
    await form.finished()
    #expect(log.lines == ["password"])
    #expect(MethodListModel(in: flows).state == .ready([.password], lastUsed: .password))
  }
}

/// Notes how it is asked for a session; it has none.
private struct AskedSource: SessionSource {
  let log = Log()

  func validSession(rejecting rejected: AccessToken?) async throws(AuthenticationError) -> AuthSession {
    log.append("rejecting")
    throw .unreachable
  }

  func validSession(byHand: Bool) async throws(AuthenticationError) -> AuthSession {
    log.append("by hand: \(byHand)")
    throw .unreachable
  }
}
