import AuthenticationKit

extension Product {
  /// Does what the person wants.
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
    case "sign-out-everywhere": session?.signOut(everywhere: true)
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
