import AuthenticationDomain

extension Issuer {
  /// A second step that the provider waits for.
  struct Step {
    var handle: String
    var sentAt: Duration
    var wrongAnswers = 0
    var isOver = false
  }

  static let stepLifetime = Duration.seconds(300)
  static let resendDelay = Duration.seconds(30)
  private static let mostWrongAnswers = 3

  /// Whether a handle was given to an attempt.
  func knows(_ handle: String) -> Bool { stepOfHandle[handle] != nil }

  /// Sends a code; its handle says whose it is and which call has asked for it.
  mutating func ask(_ userID: String, for call: Int, at time: Duration) -> String {
    let handle = "\(userID)/\(call)"
    stepOfHandle[handle] = steps.count
    steps.append(Step(handle: handle, sentAt: time))
    return handle
  }

  /// Sends another code, in place of the one before.
  mutating func askAgain(
    _ handle: String, for call: Int, at time: Duration
  ) -> Result<String, AuthenticationError> {
    guard let index = stepOfHandle[handle], !steps[index].isOver else { return .failure(.simulatedExpiry) }
    let next = "\(handle.prefix { $0 != "/" })/\(call)"
    stepOfHandle[next] = index
    steps[index].handle = next
    steps[index].sentAt = time
    return .success(next)
  }

  /// Takes a code; the right one is taken once.
  ///
  /// - Returns: why it signs no user in; nil if the step is done.
  mutating func take(_ isRight: Bool, for handle: String, at time: Duration) -> AuthenticationError? {
    guard let index = stepOfHandle[handle], !steps[index].isOver else { return .simulatedExpiry }
    guard steps[index].handle == handle, time < steps[index].sentAt + Self.stepLifetime else { return .codeExpired }
    if !isRight { steps[index].wrongAnswers += 1 }
    let left = Self.mostWrongAnswers - steps[index].wrongAnswers
    steps[index].isOver = isRight || left == 0
    if isRight { return nil }
    return left == 0 ? .simulatedExpiry : .wrongCode.with(\.attemptsLeft, left)
  }
}
