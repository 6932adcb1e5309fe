import AuthenticationAccountPresentation
import AuthenticationAccount
import AuthenticationKit
import AuthenticationPasskeys
import Foundation
import Observation

/// The sample product: an app like any other, drawn as pages. It holds the models of its screens, and what it knows of
/// who is signed in it knows from them.
@MainActor
@Observable
final class Product {
  @ObservationIgnored let world: ShowcaseWorld
  @ObservationIgnored let passkeys: BrowserAuthenticator
  @ObservationIgnored let browser: PageBrowser
  /// Counts the launches of the world that these models belong to.
  @ObservationIgnored private var launch = -1
  private(set) var signIn: AuthenticationViewModel
  private(set) var offline: OfflineModel
  /// Nil unless the page of the account is open.
  var account: AccountModel?
  /// Nil unless the page to choose another password is open.
  var reset: PasswordResetModel?
  /// What came of the last API call; nil if there was none.
  var call: CallOutcome?
  /// What the browser is asked for with its passkeys; nil if nothing is.
  private(set) var ceremony: BrowserAuthenticator.Ceremony?
  /// The issuer's page that is open; nil if there is none.
  private(set) var page: URL?
  @ObservationIgnored var isAnsweringStep = false
  /// How long a page waits for what is on its way.
  @ObservationIgnored var longestWait = Duration.seconds(2)
  /// Why a passkey was not added; nil if it was.
  var passkeyFailure: AuthenticationError?
  private(set) var flows: FlowEnvironment

  init(_ world: ShowcaseWorld, passkeys: BrowserAuthenticator, browser: PageBrowser) {
    self.world = world
    self.passkeys = passkeys
    self.browser = browser
    let flows = Self.flows(of: world.root, in: .english)
    self.flows = flows
    signIn = world.root.makeViewModel(flows)
    offline = OfflineModel(world.root.manager, in: flows)
    launch = world.launch
  }

  var words: Words { flows.words.forAccounts }

  /// As an app that was opened anew, or speaks another language: nothing of its screens is left.
  func open(in language: Language? = nil) {
    let language = language ?? words.language
    guard launch != world.launch || language.tag != words.language.tag else { return }
    launch = world.launch
    flows = Self.flows(of: world.root, in: language)
    signIn = world.root.makeViewModel(flows)
    offline = OfflineModel(world.root.manager, in: flows)
    (account, reset, call, passkeyFailure) = (nil, nil, nil, nil)
  }

  /// - Parameter tags: BCP 47, the best first.
  func open(inOneOf tags: [String]) { open(in: .best(of: tags)) }

  /// The page of the account of who is signed in.
  func openAccount() {
    guard account == nil, let user = signIn.user else { return }
    account = AccountModel(world.account, of: user, in: flows)
    account?.load()
  }

  func openReset() {
    guard reset == nil, canReset else { return }
    reset = PasswordResetModel(
      world.account, rules: flows.passwordRules, in: flows, account: signIn.userName)
  }

  /// What a page needs that was opened by its address.
  func open(_ place: Place) {
    switch place {
    case .home: break
    case .reset: openReset()
    case .account: openAccount()
    }
  }

  func shows(_ place: Place) -> Bool {
    switch place {
    case .home: true
    case .reset: reset != nil
    case .account: account != nil
    }
  }

  /// Leaves the page of an account whose user is not signed in any more.
  func closeForeignAccount() {
    guard let account, signIn.user?.id != account.user.id else { return }
    switch account.state {
    case .shown, .unavailable, .enrolling, .next, .confirmingDeletion: self.account = nil
    default: break
    }
  }

  /// The browser is asked for something else, or for nothing any more.
  func showBrowser() { (ceremony, page) = (passkeys.ceremony, browser.page) }

  var canReset: Bool { world.account.abilities.contains(.resetPassword) }
  var canSignUp: Bool { world.account.abilities.contains(.signUp) }

  private static func flows(of root: MainRoot, in language: Language) -> FlowEnvironment {
    var flows = root.flows(in: Words(language))
    flows.passwordRules = [.length(8)]
    return flows
  }
}

/// What came of an API call.
struct CallOutcome: Equatable {
  let sentence: String
  let isAnswered: Bool
}

extension Product {
  /// One call of the product's API, with a valid token.
  func callAPI() async {
    do throws(AuthenticationError) {
      let response = try await world.root.apiClient.send(HTTPRequest(.get, world.resource))
      call = CallOutcome(
        sentence: "The API has answered \(response.status).", isAnswered: (200...299).contains(response.status))
    } catch {
      call = CallOutcome(sentence: words.sentence(for: error), isAnswered: false)
    }
  }
}

extension Product {
  /// Does what the user wants.
  ///
  /// - Returns: the page to show next.
  func perform(_ intent: Intent, _ fields: FormFields, at place: Place) async -> Place {
    open()
    passkeyFailure = nil
    switch intent.name {
    case "switch": await world.perform(intent.argument)
    case "line": await world.choose(intent.argument)
    case "language": open(inOneOf: [intent.argument])
    case "open": await follow(intent.argument)
    case "passkey-answer": passkeys.answer(Int(fields["ceremony"]) ?? 0, fields["answer"])
    case "passkey-declined": passkeys.answer(Int(fields["ceremony"]) ?? 0, nil)
    default:
      world.recordIntent(intent.name)
      return await performOwn(intent, fields, at: place)
    }
    open()
    return place
  }

  private func performOwn(_ intent: Intent, _ fields: FormFields, at place: Place) async -> Place {
    switch place {
    case .home: return await performAtHome(intent, fields)
    case .reset: return performReset(intent, fields)
    case .account: return performInAccount(intent, fields)
    }
  }

  private func performAtHome(_ intent: Intent, _ fields: FormFields) async -> Place {
    call = nil
    switch intent.name {
    case "forgot":
      reset = nil
      openReset()
      return .reset
    case "account":
      account = nil
      openAccount()
      return .account
    case "sign-out": session?.signOut()
    case "sign-out-everywhere": session?.signOut(scope: .everywhere)
    case "retry-sign-out": signIn.retrySignOut()
    case "confirm-loss": session?.confirm()
    case "keep": session?.keep()
    case "retry": retry()
    case "call": await callAPI()
    case "start-again": signIn.startAgain()
    case "cancel": signIn.cancel()
    case "create-account": signIn.createAccount()
    case "choose":
      guard let method = flows.attempts.methods.first(where: { $0.id == intent.argument }) else { break }
      signIn.choose(method)
      signIn.step?.begin()
    default: signIn.step?.perform(intent, fields)
    }
    return .home
  }

  var session: SessionModel? {
    if case .signedIn(let session, _) = signIn.state { session } else { nil }
  }

  private func retry() {
    if case .storeLocked(let store) = signIn.state { store.retry() } else { offline.retry() }
  }

  /// Opens the link of a message, as the system passes it to the app.
  private func follow(_ message: String) async {
    guard let number = Int(message), let link = world.follow(number) else { return }
    if case .link(let model) = signIn.step {
      await model.open(link)
    } else if case .signUp(let model) = signIn.step, case .waiting(let waiting) = model.state {
      await waiting.open(link)
    } else if signIn.user == nil {
      signIn.choose(.emailLink)
      if case .link(let model) = signIn.step { await model.open(link) }
    }
  }
}

/// The pages to choose another password, and of the account.
extension Product {
  func performReset(_ intent: Intent, _ fields: FormFields) -> Place {
    openReset()
    switch intent.name {
    case "submit":
      reset?.account = fields[SignInMethod.Need.userName.id]
      reset?.code = fields["code"]
      reset?.newPassword = fields["new_password"]
      reset?.submit()
    case "resend": reset?.resend()
    case "start-again": reset?.startAgain()
    case "home":
      reset = nil
      return .home
    default: break
    }
    return .reset
  }

  func performInAccount(_ intent: Intent, _ fields: FormFields) -> Place {
    guard intent.name != "home", signIn.user != nil || account != nil else {
      account = nil
      return .home
    }
    openAccount()
    guard let account else { return .home }
    if case .reauthenticating(_, let model) = account.state { return prove(intent, fields, model) }
    switch intent.name {
    case "reload": account.load()
    case "account-back": account.goBack()
    case "delete": account.askToDelete()
    case "delete-confirm": account.confirmDeletion()
    case "retry-sign-out": account.retrySignOut()
    case "submit":
      account.code = fields["code"]
      account.submit()
    case "enrol": account.change(.enrol(Challenge.Kind(id: intent.argument)))
    default:
      if let overview = account.overview, let change = change(intent, in: overview) { account.change(change) }
    }
    return .account
  }

  private func change(_ intent: Intent, in overview: AccountOverview) -> AccountChange? {
    switch intent.name {
    case "unlink": overview.methods?.first { $0.id == intent.argument }.map(AccountChange.unlink)
    case "end-session": overview.sessions?.first { $0.id == intent.argument }.map(AccountChange.end)
    case "remove": overview.factors?.first { $0.id == intent.argument }.map(AccountChange.remove)
    default: nil
    }
  }

  private func prove(_ intent: Intent, _ fields: FormFields, _ model: ReauthenticationModel) -> Place {
    switch intent.name {
    case "account-back", "start-again", "cancel":
      model.decline()
      account?.goBack()
    case "prove":
      guard let method = flows.attempts.methods.first(where: { $0.id == intent.argument }) else { break }
      model.prove(with: method)
      if case .proving(let step) = model.state { step.begin() }
    default:
      if case .proving(let step) = model.state { return perform(intent, fields, step) }
      model.password = fields["password"]
      model.code = fields["code"]
      if intent.name == "submit" { model.submit() }
    }
    return .account
  }

  private func perform(_ intent: Intent, _ fields: FormFields, _ step: SignInStep) -> Place {
    step.perform(intent, fields)
    return .account
  }

  /// The issuer's page that the browser is to open now; it is told once.
  func takePage() -> URL? {
    guard page != nil else { return nil }
    return browser.takePage()
  }

  /// Goes on with a step of the account that takes more than a code: a passkey that is created.
  func answerAccountStep() async {
    guard let account, case .next(_, let challenge) = account.state, challenge.kind == .passkeyRegistration,
      !isAnsweringStep
    else { return }
    isAnsweringStep = true
    defer { isAnsweringStep = false }
    do throws(AuthenticationError) {
      let answer = try await passkeys.checking(relyingPartyID: ShowcaseWorld.relyingPartyID).answer(challenge)
      _ = try await world.account.answer(answer)
    } catch {
      passkeyFailure = error == .cancelled ? nil : error
    }
    account.goBack()
    account.load()
  }
}

extension Product {
  /// Whether the next page would only say that something is on its way.
  var isBusy: Bool {
    if let account {
      if account.activity != nil { return true }
      if case .next = account.state, ceremony == nil { return true }
      if case .reauthenticating(_, let model) = account.state, case .proving(let step) = model.state {
        return isBusy(with: step)
      }
    }
    if reset?.activity != nil { return true }
    switch signIn.state {
    case .unknown: return true
    case .storeLocked(let store): if case .retrying = store.state { return true }
    case .signedOut(_, let step), .expired(_, let step): return isBusy(with: step)
    case .signedIn(let session, _): return session.isWorking
    }
    return false
  }

  /// A step that the browser takes part in has nothing to show before the browser is asked.
  private func isBusy(with step: SignInStep) -> Bool {
    switch step {
    case .passkey(let model): if case .prompting = model.state { ceremony == nil } else { false }
    case .browser(let model): model.isWorking && page == nil
    case .factors(let model): if case .preparing = model.state { true } else { false }
    default: step.model?.activity != nil
    }
  }

  /// Returns once there is something to show, or after ``longestWait``: what is still on its way then comes as an event.
  func settle() async {
    let (changes, change) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let limit = Task { [longestWait] in
      try? await Task.sleep(for: longestWait)
      change.finish()
    }
    defer { limit.cancel() }
    watch(change)
    for await _ in changes {
      // The models follow streams: what has happened may take a turn of this actor to reach them.
      await Task.yield()
      guard isBusy else { return }
      watch(change)
    }
  }

  /// The next change ends one wait.
  private func watch(_ change: AsyncStream<Void>.Continuation) {
    let isBusy = withObservationTracking {
      self.isBusy
    } onChange: {
      change.yield()
    }
    if !isBusy { change.yield() }
  }
}

/// What a user wants, as the button says that was pressed: `name`, or `name:argument`.
struct Intent: Sendable, Equatable {
  let name: String
  let argument: String

  init(_ text: String) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    name = parts.first.map(String.init) ?? ""
    argument = parts.count > 1 ? String(parts[1]) : ""
  }
}

/// A page of the product.
enum Place: String, Sendable, CaseIterable {
  case home = "/"
  case reset = "/reset"
  case account = "/account"
}

extension SignInStep {
  /// What a view does once it appears: some steps ask for nothing and go on by themselves.
  func begin() {
    switch self {
    case .device(let model): model.request()
    case .browser(let model): model.start()
    case .passkey(let model): model.prompt()
    default: break
    }
  }

  func perform(_ intent: Intent, _ fields: FormFields) {
    switch intent.name {
    case "submit": submit(fields)
    case "resend": resend()
    case "start-again": startAgain()
    case "factor":
      if case .factors(let model) = self, case .choosing(let factors, _) = model.state {
        if let factor = factors.first(where: { $0.id == intent.argument }) { model.choose(factor) }
      }
    case "other": if case .code(let model) = self { model.chooseAnother() }
    case "back":
      if case .signUp(let model) = self { model.goBack() }
      if case .factors(let model) = self { model.goBack() }
    case "choose":
      if case .methods(let model) = self, case .ready(let methods, _) = model.state {
        if let method = methods.first(where: { $0.id == intent.argument }) { model.choose(method) }
      }
    case "cancel": cancel()
    default: break
    }
  }

  private func submit(_ fields: FormFields) {
    switch self {
    case .form(let model):
      for need in model.method.needs { model[need] = fields[need.id] }
      model.submit()
    case .link(let model): model.submit(fields)
    case .signUp(let model): model.submit(fields)
    case .code(let model): model.submit(fields)
    case .newPassword(let model):
      model.password = fields["new_password"]
      model.submit()
    case .device, .browser, .passkey: begin()
    case .methods, .factors, .other: break
    }
  }

  private func resend() {
    switch self {
    case .code(let model): model.resend()
    case .link(let model): model.resend()
    case .signUp(let model): model.resend()
    default: break
    }
  }

  private func startAgain() {
    switch self {
    case .code(let model): model.startAgain()
    case .link(let model): model.startAgain()
    default: break
    }
  }

  private func cancel() {
    switch self {
    case .form(let model): model.cancel()
    case .device(let model): model.cancel()
    case .browser(let model): model.cancel()
    case .passkey(let model): model.cancel()
    default: break
    }
  }
}

extension CodeEntryModel {
  fileprivate func submit(_ fields: FormFields) {
    code = fields["code"]
    submit()
  }
}

extension EmailLinkModel {
  fileprivate func submit(_ fields: FormFields) {
    email = fields[SignInMethod.Need.emailAddress.id]
    submit()
  }
}

extension SignUpModel {
  fileprivate func submit(_ fields: FormFields) {
    if case .confirming(let model) = state { return model.submit(fields) }
    for field in form?.fields ?? [] {
      self[field.id] = fields[field.isSecret ? "new_password" : field.id.id]
    }
    submit()
  }

  fileprivate func resend() {
    switch state {
    case .confirming(let model): model.resend()
    case .waiting(let model): model.resend()
    default: break
    }
  }
}
