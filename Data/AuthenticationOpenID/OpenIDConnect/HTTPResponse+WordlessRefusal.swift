import AuthenticationData

extension HTTPResponse {
  /// How glewlwyd refuses: 400 or 403, marked as the token endpoint's own by the `no-store` that RFC 6749 §5.1 asks of it
  /// and a proxy's own answer lacks, and not a word. Taken for `invalid_grant`: else whoever is signed in there would
  /// never be told to sign in again.
  var isWordlessRefusal: Bool {
    (status == 400 || status == 403) && body.isEmpty && !isFromOtherOrigin
      && headers.values(of: "Cache-Control").contains { $0.lowercased().contains("no-store") }
  }
}
