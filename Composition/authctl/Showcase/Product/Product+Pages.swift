import AuthenticationKit
import AuthenticationPasskeys
import Foundation

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
      _ = try await world.root.account.answer(answer)
    } catch {
      passkeyFailure = error.code == .cancelled ? nil : error
    }
    account.goBack()
    account.load()
  }
}
