import AuthenticationData

extension HTTPResponse {
  /// Whether this is a refusal by glewlwyd: 400 or 403 with an empty body, and with the `no-store` that RFC 6749 §5.1
  /// requires of the token endpoint and that a proxy's own response lacks. Treated as `invalid_grant`: otherwise a
  /// signed-in user would never be asked to sign in again.
  var isWordlessRefusal: Bool {
    (status == 400 || status == 403) && body.isEmpty && !isFromOtherOrigin
      && headers.values(of: "Cache-Control").contains { $0.lowercased().contains("no-store") }
  }
}
