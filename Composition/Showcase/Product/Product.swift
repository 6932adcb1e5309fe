import AuthenticationAccountPresentation
import AuthenticationAccount
import AuthenticationKit
import AuthenticationPasskeys
import AuthenticationScreens
import Foundation
import Observation

/// The sample product: an app like any other, drawn as pages. It holds the models of its screens, and knows the session
/// from them alone.
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
  private(set) var account: AccountModel?
  /// Nil unless the page to choose another password is open.
  private(set) var reset: PasswordResetModel?
  /// The result of the last API call; nil if there was none.
  private(set) var call: (sentence: String, isAnswered: Bool)?
  /// The request to the browser for its passkeys; nil if there is none.
  private(set) var ceremony: BrowserAuthenticator.Ceremony?
  /// The issuer's page that is open; nil if there is none.
  private(set) var page: URL?
  @ObservationIgnored private var isAnsweringStep = false
  /// The page after a button's action.
  @ObservationIgnored private var next = Place.home
  /// How long a page waits for a pending result.
  @ObservationIgnored var longestWait = Duration.seconds(2)
  /// Why a passkey was not added; nil if it was.
  private(set) var passkeyFailure: AuthenticationError?
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

  var words: Words { flows.words }

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

  /// The content of a page that was opened by its address.
  func open(_ place: Place) {
    switch place {
    case .home: break
    case .reset:
      guard reset == nil, canReset else { return }
      reset = PasswordResetModel(world.account, in: flows, account: signIn.userName)
    case .account:
      guard account == nil, let user = signIn.user else { return }
      account = AccountModel(world.account, of: user, in: flows)
      account?.load()
    }
  }

  /// The screen of a page; of a page that is not open that of the first one.
  func screen(at place: Place) -> Screen {
    if place == .reset, let reset { return reset.screen { [self] in leave(.reset) } }
    if place == .account, let account { return account.screen }
    if case .signedIn(let session, _) = signIn.state { return session.screen }
    return signIn.screen
  }

  /// The exits of a page's screen: its own, and those of this product line.
  func exits(at place: Place) -> ScreenExits {
    var exits = screen(at: place).exits
    exits.factors = world.line.factors
    if !canSignUp { exits.signUp = nil }
    if place == .home, canReset { exits.forgot = { [self] in enter(.reset) } }
    return exits
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
    guard let account, !account.user.isSame(as: signIn.user) else { return }
    switch account.state {
    case .shown, .unavailable, .enrolling, .next, .confirmingDeletion: self.account = nil
    default: break
    }
  }

  /// The browser is asked for something else, or for nothing any more.
  func showBrowser() { (ceremony, page) = (passkeys.ceremony, browser.page) }

  /// - Parameter tags: BCP 47, the best first.
  func open(inOneOf tags: [String]) { open(in: .best(of: tags)) }

  var canReset: Bool { world.account.abilities.contains(.resetPassword) }
  var canSignUp: Bool { world.account.abilities.contains(.signUp) }

  private static func flows(of root: MainRoot, in language: Language) -> FlowEnvironment {
    var flows = root.flows(in: Words(language))
    flows.passwordRules = [.length(8)]
    return flows
  }

  /// One call of the product's API, with a valid token.
  func callAPI() async {
    do throws(AuthenticationError) {
      let response = try await world.root.apiClient.send(HTTPRequest(.get, world.provider.resource))
      call = ("The API has answered \(response.status).", response.isSuccess)
    } catch {
      call = (words.sentence(for: error), false)
    }
  }

  /// Performs the user's action.
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
      world.recorder.begin(intent.name)
      return await press(intent, fields, at: place)
    }
    open()
    return place
  }

  /// Performs the action of a button of the product's page; one that is not there any more does nothing.
  private func press(_ intent: Intent, _ fields: FormFields, at place: Place) async -> Place {
    next = place
    if place == .home { call = nil }
    open(place)
    guard shows(place) else { return .home }
    let scene = Scene(product: self, backstage: Backstage(), place: place, seal: .blank)
    _ = scene.productRegion
    let former = screen(at: place).shown.model
    await scene.actions.byIntent[intent.text]?(fields)
    let shown = screen(at: place).shown
    if shown.model !== former { begin(shown) }
    declineLeftPasskey()
    return shows(next) ? next : .home
  }

  /// Opens a page anew.
  func enter(_ place: Place) {
    leave(place)
    open(place)
    next = place
  }

  func leave(_ place: Place) {
    switch place {
    case .home: break
    case .reset: reset = nil
    case .account: account = nil
    }
    next = .home
  }

  /// Some ways to sign in ask for nothing, and begin by themselves.
  private func begin(_ shown: Screen) {
    if let elsewhere = shown.model as? ExternalSignInModel { elsewhere.start() } else { shown.didAppear() }
  }

  /// Ends the browser's question for a passkey once the account does not wait for it any more.
  private func declineLeftPasskey() {
    if case .next = account?.state { return }
    if let ceremony = passkeys.ceremony, ceremony.kind == .create { passkeys.answer(ceremony.number, nil) }
  }

  /// Opens the link of a message, as the system passes it to the app.
  private func follow(_ message: String) async {
    guard let number = Int(message), let link = world.follow(number) else { return }
    if case .link(let model) = signIn.step {
      await model.open(link)
    } else if signIn.user == nil {
      signIn.choose(.emailLink)
      if case .form(let model) = signIn.step { await model.open(link) }
    }
  }

  /// Continues with a step of the account that takes more than a code: a passkey that is created.
  func answerAccountStep() async {
    guard let account, case .next(_, let challenge) = account.state, challenge.kind == .passkeyRegistration,
      !isAnsweringStep
    else { return }
    isAnsweringStep = true
    defer { isAnsweringStep = false }
    do throws(AuthenticationError) {
      let answer = try await passkeys.answer(challenge, relyingPartyID: ShowcaseWorld.relyingPartyID)
      _ = try await world.account.perform(.answer(answer))
    } catch {
      passkeyFailure = error == .cancelled ? nil : error
    }
    account.goBack()
    account.load()
  }

  /// Whether the next page would only say that something is pending.
  var isBusy: Bool {
    if let account {
      if account.activity != nil { return true }
      if case .next = account.state, ceremony == nil { return true }
      if case .reauthenticating(_, let model) = account.state, case .proving(let step) = model.state {
        return isBusy(with: step)
      }
    }
    if reset?.activity != nil { return true }
    if let step = signIn.step { return isBusy(with: step) }
    return switch signIn.state {
    case .unknown: true
    case .storeLocked(let store): if case .retrying = store.state { true } else { false }
    case .signedIn(let session, _): session.isWorking
    default: false
    }
  }

  /// A step that the browser takes part in has nothing to show before the browser is asked.
  private func isBusy(with step: SignInStep) -> Bool {
    switch step {
    case .passkey(let model): model.isWorking && ceremony == nil
    case .browser(let model): model.isWorking && page == nil
    case .factors(let model): if case .preparing = model.state { true } else { false }
    default: step.model?.activity != nil
    }
  }

  /// Returns once there is something to show, or after ``longestWait``: a result that is still pending then comes as an
  /// event.
  func waitForResult() async {
    let (changes, change) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let limit = Task { [longestWait] in
      try? await Task.sleep(for: longestWait)
      change.finish()
    }
    defer { limit.cancel() }
    watch(change)
    for await _ in changes {
      // The models follow streams: a change may take a turn of this actor to reach them.
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

/// A user's action, as the pressed button names it: `name`, or `name:argument`.
struct Intent: Sendable, Equatable {
  let text: String
  let name: String
  let argument: String

  init(_ text: String) {
    self.text = text
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
