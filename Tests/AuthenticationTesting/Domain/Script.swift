import AuthenticationDomain

/// Results in their order; the last one is repeated until others are added.
struct Script<Answer: Sendable>: Sendable {
  private var answers: [Result<Answer, AuthenticationError>] = []
  private var isUsedUp = false

  mutating func add(_ results: [Result<Answer, AuthenticationError>]) {
    if isUsedUp { answers = [] }
    answers += results
    isUsedUp = false
  }

  mutating func next() -> Result<Answer, AuthenticationError>? {
    isUsedUp = answers.count <= 1
    return isUsedUp ? answers.first : answers.removeFirst()
  }
}
