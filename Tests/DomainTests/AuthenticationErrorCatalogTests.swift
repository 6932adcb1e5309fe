import AuthenticationDomain
import Testing

@Suite struct AuthenticationErrorCatalogTests {
  static let errors: [(AuthenticationError, String)] = [
    (.invalidCredentials, "invalid_credentials"), (.signUpRefused, "sign_up_refused"),
    (.unsupportedMethod(.phoneCode), "unsupported_method"), (.sessionRejected, "session_rejected"),
    (.declined, "declined"), (.signInExpired, "sign_in_expired"), (.clientRejected, "client_rejected"),
    (.rateLimited, "rate_limited"), (.serverFailed, "server_failed"), (.endpointMissing, "endpoint_missing"),
    (.unexpectedResponse, "unexpected_response"), (.clockSkewed.with(\.clockOffset, .seconds(-90)), "clock_skewed"),
    (.refused(by: .nonce, "The nonce is another."), "security"), (.unreachable, "unreachable"),
    (.connectionLost, "connection_lost"), (.timedOut, "timed_out"), (.responseTooLarge, "response_too_large"),
    (.cancelled, "cancelled"), (.insecureConnection, "insecure_connection"),
    (.invalidConfiguration("The region is empty."), "invalid_configuration"),
    (.confirmationRequired(losing: .anonymousAccount), "confirmation_required"),
    (.storageUnavailable, "storage_unavailable"), (.userPresenceRequired, "user_presence_required"),
    (.storageCorrupt, "storage_corrupt"),
  ]

  @Test(arguments: errors) func `an error that is ready-made has its own code, and words for a developer`(
    error: AuthenticationError, code: String
  ) {
    #expect(error.code == code)
    #expect(error.description.hasPrefix("\(code): "))
    #expect(error.message.hasSuffix("."))
  }

  @Test func `the numbers that a provider told are in the error`() {
    #expect(AuthenticationError.rateLimited.with(\.retryAfter, .seconds(30)).retryAfter == .seconds(30))
    #expect(AuthenticationError.rateLimited.retryAfter == nil)
    #expect(AuthenticationError.clockSkewed.with(\.clockOffset, .seconds(-90)).clockOffset == .seconds(-90))
  }
}
