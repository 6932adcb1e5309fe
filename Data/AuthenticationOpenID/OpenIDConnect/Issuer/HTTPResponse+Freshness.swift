import AuthenticationData

extension HTTPResponse {
  /// How long an issuer's document may be kept: `max-age` (RFC 9111 §5.2.2.1) between 5 minutes and a day; a day if the
  /// issuer sends none.
  var freshness: Duration {
    let longest = 86_400
    let directives = headers.values(of: "Cache-Control").joined(separator: ",").lowercased()
      .split(separator: ",").map { $0.filter { !$0.isWhitespace } }
    if directives.contains(where: { $0 == "no-store" || $0 == "no-cache" }) { return .seconds(300) }
    let ages = directives.compactMap { directive in
      directive.hasPrefix("max-age=") ? Int(directive.dropFirst(8).filter { $0 != "\"" }) : nil
    }
    return .seconds(min(max(ages.first ?? longest, 300), longest))
  }
}
