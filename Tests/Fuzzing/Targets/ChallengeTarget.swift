import AuthenticationData

/// The value of a `WWW-Authenticate` field.
enum ChallengeTarget {
  static func check(_ input: [UInt8]) throws {
    let text = String(decoding: input, as: UTF8.self)
    let challenges = AuthenticateChallenge.parse(text)
    try Finding.unless(
      HTTPResponse(status: 401, headers: ["WWW-Authenticate": text]).challenges == challenges,
      "the same field is the same challenges")
    try Finding.unless(
      challenges.allSatisfy { !$0.scheme.isEmpty && $0.scheme == $0.scheme.lowercased() }, "a scheme is in lower case")
    let written = challenges.map(write).joined(separator: ", ")
    guard written.utf8.count <= 8_192 else { return }
    try Finding.unless(AuthenticateChallenge.parse(written) == challenges, "what is written is read as it was")
  }

  private static func write(_ challenge: AuthenticateChallenge) -> String {
    let parameters = challenge.parameters.map { name, value in
      // Byte by byte: an accent after a quotation mark makes another character of it.
      let escaped = value.utf8.flatMap { [0x22, 0x5C].contains($0) ? [0x5C, $0] : [$0] }
      return "\(name)=\"\(String(decoding: escaped, as: UTF8.self))\""
    }
    return "\(challenge.scheme) \(parameters.joined(separator: ", "))"
  }
}
