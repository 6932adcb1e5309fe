import AuthenticationDomain
import AuthenticationMultiAccount
import AuthenticationPresentation
import AuthenticationTesting
import Synchronization
import Testing

@MainActor
@Suite(.timeLimit(.minutes(10))) struct AccountSwitcherTests {
  let clock = ManualClock()
  let control = ScriptedAuthManager(.signedOut(.absent))
  let list: ScriptedAccounts
  let flows: FlowEnvironment

  init() {
    flows = FlowEnvironment(
      attempts: SignInAttempts([.password], useCase: control, clock: clock), control: control, clock: clock)
    let now = clock.now
    list = ScriptedAccounts([
      KnownAccount(id: "1", user: .ada, provider: "Example", lastUsed: now),
      KnownAccount(id: "2", user: .grace, provider: "Example", lastUsed: now, isSignedIn: false),
    ])
  }

  @Test func `the accounts are shown, the one in use first, and each that is signed out is marked`() async {
    let model = AccountSwitcherModel(list, in: flows)
    #expect(model.state == .reading)
    await model.finished()
    #expect(model.accounts.map(\.id) == ["1", "2"])
    #expect(model.label(of: model.accounts[0]) == "\u{2068}Ada Lovelace\u{2069} (\u{2068}ada@example.com\u{2069})")
    #expect(model.label(of: model.accounts[1]).hasSuffix(", signed out"))
  }

  @Test func `switching puts an account in use, and tells the app once`() async {
    var used: [String?] = []
    let model = AccountSwitcherModel(list, in: flows) { used.append($0?.id) }
    await model.finished()
    model.use(model.accounts[0])
    #expect(!model.isWorking)
    model.use(model.accounts[1])
    #expect(model.isWorking && model.activity == "Switching the account")
    model.remove(model.accounts[0])
    await model.finished()
    #expect(model.accounts.map(\.id) == ["2", "1"])
    #expect(used == ["2"])
  }

  @Test func `removing the account in use leads to the next one, and the last to none`() async {
    var used: [String?] = []
    let model = AccountSwitcherModel(list, in: flows) { used.append($0?.id) }
    await model.finished()
    model.remove(model.accounts[0])
    #expect(model.activity == "Signing out")
    await model.finished()
    #expect(model.accounts.map(\.id) == ["2"])
    model.remove(model.accounts[0])
    await model.finished()
    #expect(model.state == .shown([], nil))
    #expect(used == ["2", nil])
  }

  @Test func `an account that would be lost for ever is removed only after a confirmation`() async {
    list.fail(with: .confirmationRequired(losing: .anonymousAccount))
    let model = AccountSwitcherModel(list, in: flows)
    await model.finished()
    model.remove(model.accounts[0])
    await model.finished()
    #expect(model.title == "Sign out and lose this account?")
    model.keep()
    #expect(model.accounts.count == 2)
    list.fail(with: .confirmationRequired(losing: .anonymousAccount))
    model.remove(model.accounts[0])
    await model.finished()
    model.confirm()
    await model.finished()
    #expect(model.accounts.map(\.id) == ["2"])
    #expect(list.losses == [nil, nil, .anonymousAccount])
  }

  @Test func `a failure keeps the list, and shows a message`() async {
    let model = AccountSwitcherModel(list, in: flows)
    await model.finished()
    list.fail(with: .storageUnavailable)
    model.use(model.accounts[1])
    await model.finished()
    #expect(model.accounts.map(\.id) == ["1", "2"])
    #expect(model.failure?.error == .storageUnavailable)
    #expect(model.failureSentence?.isEmpty == false)
  }

  @Test func `a list that cannot be read is read again when it changes`() async {
    list.cannotBeRead = true
    let model = AccountSwitcherModel(list, in: flows)
    await model.finished()
    #expect(model.failure?.error == .storageUnavailable)
    list.cannotBeRead = false
    list.tell()
    await model.waited { model.accounts.count == 2 }
  }

  @Test func `a change by another process shows`() async {
    let model = AccountSwitcherModel(list, in: flows)
    await model.finished()
    try? await list.remove("1", losing: nil)
    list.tell()
    await model.waited { model.accounts.count == 1 }
  }
}

/// Accounts in memory; the next intent fails as a test says.
final class ScriptedAccounts: AccountList {
  private struct Contents {
    var accounts: [KnownAccount]
    var failure: AuthenticationError?
    var cannotBeRead = false
    var losses: [SignOutLoss?] = []
  }

  private let contents: Mutex<Contents>
  private let changed = Broadcast<Void>()

  init(_ accounts: [KnownAccount]) { contents = Mutex(Contents(accounts: accounts)) }

  var losses: [SignOutLoss?] { contents.withLock { $0.losses } }

  var cannotBeRead: Bool {
    get { contents.withLock { $0.cannotBeRead } }
    set { contents.withLock { $0.cannotBeRead = newValue } }
  }

  func fail(with error: AuthenticationError) { contents.withLock { $0.failure = error } }
  func tell() { changed.send(()) }
  func changes() -> AsyncStream<Void> { changed.values(keeping: 1) }

  func list() async throws(AuthenticationError) -> [KnownAccount] {
    if cannotBeRead { throw .storageUnavailable }
    return contents.withLock { $0.accounts }
  }

  private func fail() throws(AuthenticationError) {
    let failure = contents.withLock { contents in
      defer { contents.failure = nil }
      return contents.failure
    }
    if let failure { throw failure }
  }

  func use(_ id: String) async throws(AuthenticationError) {
    try fail()
    contents.withLock { contents in
      if let index = contents.accounts.firstIndex(where: { $0.id == id }) {
        contents.accounts.insert(contents.accounts.remove(at: index), at: 0)
      }
    }
  }

  func remove(_ id: String, losing loss: SignOutLoss?) async throws(AuthenticationError) {
    contents.withLock { $0.losses.append(loss) }
    try fail()
    contents.withLock { $0.accounts.removeAll { $0.id == id } }
  }
}
