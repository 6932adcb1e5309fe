/// A response to a refresh, or the failure of one, and whose refresh token was sent.
package struct RefreshResponse: Sendable {
  package let session: AuthSession
  /// The sign-in of that session.
  package let signInID: RecordID?
  /// Whose access token was asked for; nil for the session's own.
  package let resource: ProtectedResource?
  package let result: Result<SessionTokens, AuthenticationError>
  /// Why the new access token is not one for the resource.
  package let refusal: AuthenticationError?

  package init(
    of session: AuthSession, signInID: RecordID?, for resource: ProtectedResource? = nil,
    _ result: Result<SessionTokens, AuthenticationError>, refusal: AuthenticationError? = nil
  ) {
    (self.session, self.signInID, self.resource) = (session, signInID, resource)
    (self.result, self.refusal) = (result, refusal)
  }
}
