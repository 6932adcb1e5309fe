import AuthenticationKit
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

  /// - Parameter tags: BCP 47, the best first.
  func open(inOneOf tags: [String]) { open(in: .best(of: tags)) }

  /// The page of the account of who is signed in.
  func openAccount() {
    guard account == nil, let user = signIn.user else { return }
    account = AccountModel(AccountParts(world.root.account), of: user, in: flows)
    account?.load()
  }

  func openReset() {
    guard reset == nil, canReset else { return }
    reset = PasswordResetModel(
      world.root.account, rules: flows.passwordRules, in: flows, account: signIn.userName)
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

  /// Leaves the page of an account whose person is not signed in any more.
  func closeForeignAccount() {
    guard let account, signIn.user?.id != account.user.id else { return }
    switch account.state {
    case .shown, .unavailable, .enrolling, .next, .confirmingDeletion: self.account = nil
    default: break
    }
  }

  /// The browser is asked for something else, or for nothing any more.
  func showBrowser() { (ceremony, page) = (passkeys.ceremony, browser.page) }

  var canReset: Bool { world.root.account.abilities.contains(.resetPassword) }
  var canSignUp: Bool { world.root.account.abilities.contains(.signUp) }

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
