import AuthenticationDomain

/// The way to the provider and back, with its faults.
struct Network {
  struct Fate {
    let isProcessed: Bool
    /// The client's error in place of the provider's response.
    let failure: AuthenticationError?
    let way: Duration
    let back: Duration
  }

  var faultPercent: Int
  /// Nothing goes well until it is over.
  var isDown = false

  func fate(_ random: inout SplitMix) -> Fate {
    let way = random.duration(upToMilliseconds: 300)
    let back = random.duration(upToMilliseconds: 300)
    guard isDown || random.chance(faultPercent) else {
      return Fate(isProcessed: true, failure: nil, way: way, back: back)
    }
    switch random.below(6) {
    case 0:
      let slow = random.duration(upToMilliseconds: 40_000)
      return Fate(isProcessed: true, failure: isDown ? .lost(.timedOut) : nil, way: way, back: slow)
    case 1:
      return Fate(isProcessed: random.chance(70), failure: .lost(.connectionLost), way: way, back: back)
    case 2:
      return Fate(isProcessed: random.chance(70), failure: .lost(.timedOut), way: way, back: .seconds(30))
    case 3:
      return Fate(isProcessed: random.chance(30), failure: .lost(.serverFailed), way: way, back: back)
    case 4:
      return Fate(isProcessed: random.chance(50), failure: .lost(.unexpectedResponse), way: way, back: back)
    default:
      return Fate(isProcessed: false, failure: .unprocessed(&random), way: way, back: back)
    }
  }
}

extension AuthenticationError {
  /// The request may have been processed.
  static func lost(_ kind: Self) -> Self { Self(kind, "The simulated response was lost.") }

  /// The provider has certainly not processed the request.
  static func unprocessed(_ random: inout SplitMix) -> Self {
    let kind: Self = random.pick([.unreachable, .unreachable, .rateLimited, .endpointMissing, .insecureConnection])
    var error = Self(kind, "The simulated request was not processed.")
    if kind == .rateLimited { error.retryAfter = .seconds(1 + random.below(90)) }
    return error
  }

  static let simulatedExpiry = Self(.signInExpired, "The simulated code was asked for too long ago.")

  static let simulatedStorage = Self(.storageUnavailable, "The simulated store is unavailable.")
}

extension World {
  /// A server's response that makes no sense: a refusal without a code, or an object without tokens.
  func odd(_ failure: AuthenticationError, isProcessed: Bool) -> AuthenticationError {
    guard hasOddResponses, failure == .unexpectedResponse, responses.chance(70) else { return failure }
    return failure.with(\.response, isProcessed ? .unusable : .refused)
  }
}

extension Client {
  /// Sends a request and waits for its end; `serve` is the provider's part, `arrived` the moment of the answer.
  func exchange<Answer: Sendable>(
    _ request: String, serve: @escaping () -> Result<Answer, AuthenticationError>,
    arrived: @escaping (Result<Answer, AuthenticationError>) -> Void = { _ in }
  ) async throws(AuthenticationError) -> Answer {
    let world = world
    let process = process
    // It may be too late to give up: the answer is here, and its caller is gone.
    let isCancellable = !world.extras.chance(world.profile.extras.lateAnswerPercent)
    let result: Result<Answer, AuthenticationError> = await process.wait(
      gone: .failure(.cancelled), isCancellable: isCancellable
    ) { waiter in
      let fate = world.network.fate(&world.random)
      var answer: Result<Answer, AuthenticationError>?
      world.note("\(name) sends \(request)")
      world.timers.add(at: world.time + fate.way) {
        guard fate.isProcessed else { return }
        // A request of a process that died meanwhile may not have left it.
        if process.hasExited, world.random.chance(50) { return }
        answer = serve()
        world.note("the provider processes \(request) of \(self.name)")
      }
      world.timers.add(at: world.time + fate.way + fate.back) {
        guard !waiter.isAnswered, process.step() else { return }
        let failure = fate.failure.map { world.odd($0, isProcessed: fate.isProcessed) }
        let result = failure.map(Result.failure) ?? answer ?? .failure(.lost(.connectionLost))
        if case .failure(let error) = result { world.note("\(self.name) hears \(error.code) for \(request)") }
        if case .success = result { world.note("\(self.name) has the answer to \(request)") }
        arrived(result)
        waiter.resolve(result)
      }
    }
    return try result.get()
  }
}
