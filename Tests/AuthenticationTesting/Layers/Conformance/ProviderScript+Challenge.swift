public import AuthenticationDomain

extension ProviderScript {
  /// A sign-in that asks for steps, from the credentials to the session.
  public struct ChallengeScript: Sendable {
    let name: String
    let credentials: any Credentials
    let attributes: [String: Secret]
    let begin: [Exchange]
    let steps: [Step]

    /// - Parameters:
    ///   - name: tells it from others in a violation.
    ///   - credentials: the user's credentials.
    ///   - attributes: the app's data for the attempt.
    ///   - begin: until the first step is asked for.
    ///   - steps: in their order; the last one ends in a session.
    public init(
      _ name: String, credentials: any Credentials, attributes: [String: Secret] = [:], begin: [Exchange],
      steps: [Step]
    ) {
      self.name = name
      self.credentials = credentials
      self.attributes = attributes
      self.begin = begin
      self.steps = steps
    }
  }

  /// A step that is asked for, and its answer.
  public struct Step: Sendable {
    let kind: Challenge.Kind
    let answer: ChallengeAnswer.Content
    let exchanges: [Exchange]
    let wrong: [Exchange]

    /// - Parameters:
    ///   - kind: the kind of challenge.
    ///   - answer: the user's answer.
    ///   - exchanges: the exchanges of the answer; empty if there are none.
    ///   - wrong: the exchanges of a wrong answer that the user may correct; empty if the service has none in this
    ///     step.
    public init(
      _ kind: Challenge.Kind, answer: ChallengeAnswer.Content, _ exchanges: [Exchange], wrong: [Exchange] = []
    ) {
      self.kind = kind
      self.answer = answer
      self.exchanges = exchanges
      self.wrong = wrong
    }
  }
}
