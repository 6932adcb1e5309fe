import AuthenticationDomain
import AuthenticationPresentation
import AuthenticationTesting
import Testing

/// Flows whose user is busy outside of the app: in a browser, on another device, with a passkey.
@MainActor
@Suite(.timeLimit(.minutes(10))) struct ExternalInteractionTests {
  private let place = Place()

  private func world() -> World {
    let place = place
    return World([
      SignInProcess(.device) { context throws(AuthenticationError) in
        context.onExternalInteraction(
          ExternalInteraction(
            .anotherDevice, address: "https://id.example/device", completeAddress: nil, userCode: "WDJB-MJHT",
            lifetime: .seconds(600)))
        return try await place.visit()
      },
      SignInProcess(.browser) { context throws(AuthenticationError) in
        context.onExternalInteraction(ExternalInteraction(.browser))
        return try await place.visit()
      },
      SignInProcess(.passkey) { context throws(AuthenticationError) in
        place.log.append(context.input.isOffer ? "offer" : "prompt")
        return try await place.visit()
      },
    ])
  }

  private func shown(_ world: World) async throws -> DeviceCodeModel {
    place.gate.close()
    let model = DeviceCodeModel(in: world.flows)
    model.request()
    await model.waited { if case .showing = model.state { true } else { false } }
    await place.gate.waitForArrivals(1)
    return model
  }

  @Test func `a device code is shown with the plain address, and the QR code holds it where there is no complete one`()
    async throws
  {
    let model = try await shown(world())
    guard case .showing(let code) = model.state else { return }
    #expect(code.userCode == "WDJB-MJHT")
    #expect(code.spelledCode == "W D J B M J H T")
    #expect(code.address == "https://id.example/device")
    #expect(code.scannedAddress == "https://id.example/device")
    #expect(code.host == "id.example")
    #expect(model.secondsLeft == 600)
    #expect(model.announcement?.text == "The code is \u{2068}W D J B M J H T\u{2069}.")
  }

  @Test func `a device code that expires is refreshed by one tap, and never by itself`() async throws {
    let world = world()
    let model = try await shown(world)
    await world.clock.waitForSleepers()
    world.clock.advance(by: .seconds(600))
    await model.waited { model.state == .expired }
    #expect(model.announcement?.text == "The code is no longer accepted.")
    #expect(place.visits == 1)
    model.request()
    await model.waited { if case .showing = model.state { true } else { false } }
    await place.gate.waitForArrivals(2)
    #expect(place.visits == 2)
  }

  @Test func `a device code that was denied is not one that expired`() async throws {
    place.failure = .declined
    let model = DeviceCodeModel(in: world().flows)
    model.request()
    await model.finished()
    #expect(model.state == .denied)
    place.failure = .signInExpired
    model.request()
    await model.finished()
    #expect(model.state == .expired)
  }

  @Test func `a look-alike host is shown in ASCII`() async throws {
    let place = place
    place.gate.close()
    let world = World([
      SignInProcess(.device) { context throws(AuthenticationError) in
        context.onExternalInteraction(
          ExternalInteraction(.anotherDevice, address: "https://bücher.example:8443/a?b", userCode: "A"))
        return try await place.visit()
      }
    ])
    let model = try await shown(world)
    guard case .showing(let code) = model.state else { return }
    #expect(code.host == "xn--bcher-kva.example")
  }

  @Test func `a closed browser page is not reported, and the previous state is shown`() async {
    place.failure = .cancelled
    let model = ExternalSignInModel(.browser, in: world().flows)
    model.start()
    await model.finished()
    #expect(model.state == .idle)
    #expect(model.failure == nil)
    #expect(model.announcement == nil)
  }

  @Test func `a browser page is opened once, and a second callback changes nothing`() async throws {
    let world = world()
    world.answer(.success(world.session()))
    place.gate.close()
    let model = ExternalSignInModel(.browser, in: world.flows)
    model.start()
    model.start()
    await place.gate.waitForArrivals(1)
    #expect(model.state == .asking)
    place.gate.open()
    await model.finished()
    let state = model.state
    guard case .done = state else {
      Issue.record("Not done: \(state)")
      return
    }
    #expect(place.visits == 1)
    await model.finished()
    #expect(model.state == state)
  }

  @Test func `a page that was lost is opened again, and the result of the first one counts no more`() async {
    let world = world()
    world.answer(.success(world.session()))
    place.gate.close()
    let model = ExternalSignInModel(.browser, in: world.flows)
    model.openAgain()
    #expect(model.state == .idle, "there is none to open again")
    model.start()
    await place.gate.waitForArrivals(1)
    let first = world.flows.attempts.current
    model.openAgain()
    #expect(world.flows.attempts.current !== first)
    await place.gate.waitForArrivals(2)
    place.gate.open()
    await model.finished()
    guard case .done(let completion) = model.state else {
      Issue.record("Not done: \(model.state)")
      return
    }
    #expect(completion == world.flows.attempts.current?.session)
    #expect(await first?.finished() == .ended(.replaced))
  }

  @Test func `a browser that fails can be tried again`() async {
    place.failure = .browserUnavailableForTest
    let world = world()
    let model = ExternalSignInModel(.browser, in: world.flows)
    model.start()
    await model.finished()
    #expect(model.failureSentence == "No browser could be opened.")
    world.answer(.success(world.session()))
    place.failure = nil
    model.start()
    #expect(model.failure == nil)
    await model.finished()
    #expect(world.manager.state.user == .ada)
  }

  @Test func `the failure of an offered passkey is not reported`() async {
    place.failure = .unreachable
    let model = ExternalSignInModel(.passkey, in: world().flows)
    model.offer()
    await model.finished()
    #expect(model.state == .idle)
    #expect(model.failure == nil)
    #expect(place.log.lines == ["offer"])
  }

  @Test func `a passkey that the user asked for says why it failed`() async {
    place.failure = .unreachable
    let model = ExternalSignInModel(.passkey, in: world().flows)
    model.start()
    await model.finished()
    #expect(model.failure?.error == .unreachable)
    #expect(place.log.lines == ["prompt"])
  }

  @Test func `an offer ends before a user is asked: one request is alive`() async throws {
    let world = world()
    place.gate.close()
    let model = ExternalSignInModel(.passkey, in: world.flows)
    model.offer()
    await place.gate.waitForArrivals(1)
    let offer = try #require(world.flows.attempts.current)
    model.start()
    await offer.finished()
    #expect(offer.state == .ended(.replaced))
    #expect(model.state == .asking)
    #expect(world.flows.attempts.current !== offer)
    model.cancel()
  }

  @Test func `an offer does not end an attempt that is in progress`() async throws {
    let place = place
    let passkey = SignInProcess(.passkey) { _ throws(AuthenticationError) in try await place.visit() }
    let world = World([.phoneCode, passkey])
    let attempt = try await world.attempt(at: .sms())
    let model = ExternalSignInModel(.passkey, in: world.flows)
    model.offer()
    #expect(model.state == .idle)
    #expect(world.flows.attempts.current === attempt)
  }

  @Test func `a passkey signs in, and completes with its session`() async {
    let world = world()
    world.answer(.success(world.session()))
    let model = ExternalSignInModel(.passkey, in: world.flows)
    model.offer()
    await model.finished()
    guard case .done(let completion) = model.state else {
      Issue.record("Not done: \(model.state)")
      return
    }
    #expect(completion == world.manager.state.session)
  }
}

/// Where the user is busy: it returns when its gate is open.
private final class Place: Sendable {
  let gate = Gate()
  let log = Log()
  private let contents = AwaitableState((failure: nil as AuthenticationError?, visits: 0))

  var failure: AuthenticationError? {
    get { contents.value.failure }
    set { contents.update { $0.failure = newValue } }
  }
  var visits: Int { contents.value.visits }

  func visit() async throws(AuthenticationError) -> any Credentials {
    contents.update { $0.visits += 1 }
    await gate.pass()
    if Task.isCancelled { throw .cancelled }
    if let failure { throw failure }
    return .anonymous
  }
}

extension AuthenticationError {
  fileprivate static let browserUnavailableForTest = Self(.browserUnavailable, "None.")
}
