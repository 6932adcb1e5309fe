import AuthenticationDomainTesting

extension ShowcaseStep {
  static let all = [expire, calls, down, lose, lock, jump, revoke, process, restart]

  static let expire = Self(
    "expire", "Expire the token", "The provider ends the access token early; a call gets a new one, and is answered."
  ) { stage in
    stage.expireTokens()
    await stage.call()
  }

  static let calls = Self(
    "calls", "1,000 calls at once", "An hour passes; then a thousand calls find the token expired: one refresh."
  ) { stage in
    stage.clock.travel(.seconds(3_600))
    await stage.call(times: 1_000)
  }

  static let down = Self(
    "down", "Provider down", "The server is stopped: who is signed in stays signed in.",
    lasting: Lasting(isOn: { $0.isProviderDown }, ending: "The server is back.")
  ) { stage in
    try await stage.setProviderDown(!stage.isProviderDown)
  }

  static let lose = Self(
    "lose", "Lose an answer", "The token expires, and the answer to its refresh is lost: the app asks again."
  ) { stage in
    stage.loseAnswer()
    stage.clock.travel(.seconds(3_600))
    await stage.call()
  }

  static let lock = Self(
    "lock", "Lock the store", "The storage cannot be read: an app that is launched now does not know who is signed in.",
    lasting: Lasting(isOn: { $0.storage.isLocked }, ending: "The storage is unlocked.")
  ) { stage in
    stage.storage.isLocked.toggle()
  }

  static let jump = Self("jump", "Jump the clock", "An hour passes, here and at the provider.") { stage in
    stage.clock.travel(.seconds(3_600))
  }

  static let revoke = Self(
    "revoke", "Revoke elsewhere", "The session is ended on another device: the next call signs out here, and says why."
  ) { stage in
    stage.endSessions()
    await stage.call()
  }

  static let process = Self(
    "process", "Another process", "An hour passes; a second process refreshes the session, and this one takes it over."
  ) { stage in
    stage.clock.travel(.seconds(3_600))
    stage.report(secondProcess: try await stage.secondProcess.call())
    await stage.call()
  }

  static let restart = Self(
    "restart", "Kill and restart", "Gone and opened again: nothing is left of the app but its storage."
  ) { stage in
    try stage.relaunch()
  }
}
