public import AuthenticationDomain
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
    ].compactMap { name, code in code.map { (name, State.showing($0)) } }
    let states: [(String, State)] =
      shown + [
        ("idle", .idle), ("requesting", .requesting), ("denied", .denied), ("expired", .expired),
        ("failed", .failed(world.failure(.unreachable))), ("next", .next(world.sms)),
        ("done", .done(world.session)),
      ]
    return states.map { name, state in
      let model = DeviceCodeModel(in: world.flows)
      model.state = state
      return Preset(name, model)
    }
  }
}

extension ExternalSignInModel {
  /// Each state of a sign-in on the provider's page, or with a passkey.
  public static func presets(of method: SignInMethod, in words: Words = Words()) -> [Preset<ExternalSignInModel>] {
    let world = PresetWorld(words)
    let states: [(String, State)] = [
      ("idle", .idle), ("offered", .offered), ("asking", .asking), ("failed", .failed(world.failure(.unreachable))),
      ("next", .next(world.sms)), ("done", .done(world.session)),
    ]
    return states.filter { method == .passkey || $0.0 != "offered" }.map { name, state in
      let model = ExternalSignInModel(method, in: world.flows)
      model.state = state
      return Preset(name, model)
    }
  }
}
