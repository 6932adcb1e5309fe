import AuthenticationDomain
public import AuthenticationPresentation

extension DeviceCodeModel {
  /// Each state of a sign-in on another device.
  public static func presets(in words: Words = Words()) -> [Preset<DeviceCodeModel>] {
    let world = PresetWorld(words)
    let code = { (complete: String?) in
      DeviceCode(
        ExternalInteraction(
          .anotherDevice, address: "https://id.example.com/device", completeAddress: complete, userCode: "WDJB-MJHT",
          lifetime: .seconds(600)), by: world.clock)
    }
    let shown = [
      ("showing", code("https://id.example.com/device?user_code=WDJB-MJHT")),
      ("showing, no complete address", code(nil)),
    ].compactMap { name, code in code.map { (name, State.showing($0, attempt: "attempt")) } }
    let states: [(String, State)] =
      shown + [
        ("idle", .idle), ("requesting", .requesting(attempt: "attempt")), ("denied", .denied), ("expired", .expired),
        ("failed", .failed(world.failure(.unreachable))), ("next", .next(world.sms, attempt: "attempt")),
        ("done", .done(world.completion)),
      ]
    return states.map { name, state in
      let model = DeviceCodeModel(in: world.flows)
      model.state = state
      return Preset(name, model)
    }
  }
}

extension BrowserSignInModel {
  /// Each state of a sign-in on the provider's page.
  public static func presets(in words: Words = Words()) -> [Preset<BrowserSignInModel>] {
    let world = PresetWorld(words)
    let states: [(String, State)] = [
      ("idle", .idle), ("starting", .starting(attempt: "attempt")), ("inBrowser", .inBrowser(attempt: "attempt")),
      ("failed", .failed(world.failure(.unreachable))), ("next", .next(world.sms, attempt: "attempt")),
      ("done", .done(world.completion)),
    ]
    return states.map { name, state in
      let model = BrowserSignInModel(.browser, in: world.flows)
      model.state = state
      return Preset(name, model)
    }
  }
}

extension PasskeyModel {
  /// Each state of a sign-in with a passkey.
  public static func presets(in words: Words = Words()) -> [Preset<PasskeyModel>] {
    let world = PresetWorld(words)
    let states: [(String, State)] = [
      ("idle", .idle), ("offered", .offered(attempt: "attempt")), ("prompting", .prompting(attempt: "attempt")),
      ("failed", .failed(world.failure(.unreachable))), ("next", .next(world.sms, attempt: "attempt")),
      ("done", .done(world.completion)),
    ]
    return states.map { name, state in
      let model = PasskeyModel(in: world.flows)
      model.state = state
      return Preset(name, model)
    }
  }
}
