public import AuthenticationDomain
public import Observation

/// Lets a person who forgot the password choose another one.
///
/// What it says is the same whether or not there is such an account.
///
/// ```swift
/// let model = PasswordResetModel(root.account, rules: [.length(15)], in: flows)
/// model.account = "ada@example.com"
/// model.submit()
/// ```
@MainActor
@Observable
public final class PasswordResetModel: FlowModel {
  /// What it takes of a provider.
  public typealias Services = PasswordResetUseCase & AccountChallengeUseCase

  /// Where it stands.
  public enum State: Sendable, Equatable {
    /// The person says which account.
    case askingAccount(EntryForm, FlowFailure?)
    /// A code or a link was asked for.
    case requesting(EntryForm, call: Int)
    /// A link was sent, if there is such an account; the rest happens on its page.
    case sent(account: String)
    /// The code that came is asked for.
    case enteringCode(CodeEntry, account: String)
    /// The code was sent to the provider.
    case verifying(CodeEntry, account: String, call: Int)
    /// Another code was asked for.
    case resending(CodeEntry, account: String, call: Int)
    /// The code is taken no more.
    case expired(CodeEntry, account: String)
    /// The new password is asked for.
    case editingNew(NewPasswordEntry, Challenge, account: String)
    /// The new password was sent, and is in here no more.
    case submitting(NewPasswordEntry, Challenge, account: String, call: Int)
    /// It was changed: the person signs in with it, unless somebody is signed in.
    case done(account: String, isSignedIn: Bool)
  }

  public package(set) var state: State
  public var words: Words { flows.words }

  @ObservationIgnored let services: any Services
  @ObservationIgnored let rules: [PasswordRule]
  @ObservationIgnored let flows: FlowEnvironment
  @ObservationIgnored let call = CurrentCall()
  @ObservationIgnored let expiry: Alarm

  /// Asks for the account.
  ///
  /// - Parameters:
  ///   - services: of the provider.
  ///   - rules: what a new password must be like, from the provider's configuration.
  ///   - flows: what the models of one app share.
  ///   - account: what is known of it.
  public init(_ services: any Services, rules: [PasswordRule] = [], in flows: FlowEnvironment, account: String = "") {
    self.services = services
    self.rules = rules
    self.flows = flows
    expiry = Alarm(flows.clock)
    state = .askingAccount(EntryForm([.userName], filled: [.userName: account]), nil)
  }

  /// The account, as typed.
  public var account: String {
    get { if case .askingAccount(let form, _) = state { form[.userName] } else { "" } }
    set {
      guard case .askingAccount(var form, let failure) = state else { return }
      form.type(newValue, into: .userName, flows.rules)
      state = .askingAccount(form, failure)
    }
  }

  /// The code, as typed or pasted.
  public var code: String {
    get { if case .enteringCode(let entry, _) = state { entry.text } else { "" } }
    set {
      guard case .enteringCode(var entry, let account) = state else { return }
      entry.text = newValue
      state = .enteringCode(entry, account: account)
    }
  }

  /// The new password, as typed.
  public var newPassword: String {
    get { if case .editingNew(let entry, _, _) = state { entry.form[.password] } else { "" } }
    set { edit { $0.type(newValue, flows.rules) } }
  }

  /// Whether the new password can be read.
  public var isRevealed: Bool {
    get { if case .editingNew(let entry, _, _) = state { entry.isRevealed } else { false } }
    set { edit { $0.isRevealed = newValue } }
  }

  private func edit(_ change: (inout NewPasswordEntry) -> Void) {
    guard case .editingNew(var entry, let challenge, let account) = state else { return }
    change(&entry)
    state = .editingNew(entry, challenge, account: account)
  }
}
