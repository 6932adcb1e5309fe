import AuthenticationDomain

extension SignInInput {
  /// The input of a simulated user; `call` is the request to be sent.
  static func simulated(_ userID: String, call: Int) -> Self {
    Self([.userName: userID], attributes: ["call": "\(call)"].mapValues(Secret.init))
  }

  fileprivate func credentials() throws(AuthenticationError) -> SimulatedCredentials {
    guard let call = attributes["call"].flatMap({ Int($0.reveal()) }) else { throw .cancelled }
    return SimulatedCredentials(userID: self[.userName].reveal(), call: call)
  }
}

extension SignInProcess {
  static let simulatedForm = Self(.password) { context throws(AuthenticationError) in
    try context.input.credentials()
  }

  /// The user is busy elsewhere for a while, on a page that does not always notice that the attempt has ended.
  static func simulatedBrowser(of process: SimulatedProcess) -> Self {
    Self(.browser) { context throws(AuthenticationError) in
      context.onExternalInteraction(ExternalInteraction(.browser))
      let world = process.world
      let hasReturned = await process.wait(gone: false, isCancellable: world.attempts.chance(50)) { waiter in
        world.timers.add(at: world.time + world.attempts.duration(upToMilliseconds: 60_000)) {
          waiter.resolve(world.attempts.chance(80))
        }
      }
      guard hasReturned else { throw .cancelled }
      return try context.input.credentials()
    }
  }
}
