import AuthenticationDomain
import AuthenticationPresentation
import Testing

@Suite struct DefaultSentenceTests {
  @Test func `no sentence repeats what the error says to a developer`() {
    let error = AuthenticationError(
      .serverFailed, "canary-message", suggestion: "canary-suggestion", cause: .init(domain: "canary-cause"))
    #expect(error.defaultSentence == "The service is not answering. Please try again later.")
  }

  @Test func `a code that nobody knows yet has a sentence too`() {
    let error = AuthenticationError(.init("canary_code"), "canary")
    #expect(error.defaultSentence == "Something went wrong. Please try again.")
  }

  @Test(arguments: [
    (AuthenticationError.blankUserName, "Please enter your user name."),
    (.emptyPassword, "Please enter your password."),
    (.sessionExpired, "Your session has ended. Please sign in again."),
    (AuthenticationError(.clockSkewed, ""), "The clock of this device is wrong. Please set it and try again."),
    (AuthenticationError(.signInExpired, ""), "That took too long. Please start again."),
    (.timedOut, "The service is not answering. Please try again later."),
  ])
  func `each failure a person can mend says how`(error: AuthenticationError, sentence: String) {
    #expect(error.defaultSentence == sentence)
  }
}
