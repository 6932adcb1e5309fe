import Foundation

@testable import AuthenticationData
@testable import AuthenticationDomain

extension SessionTokens {
  /// The rules of tokens from any source.
  func checkPlausibility() throws {
    let range: ClosedRange<Duration> = .seconds(1)...AccessToken.longestLifetime
    try Finding.unless(access.lifetime.map(range.contains) ?? true, "a lifetime is unknown, or 1 s to 10 years")
    try Finding.unless(
      access.expiresAt?.timeIntervalSince1970.isFinite ?? true && access.receivedAt.timeIntervalSince1970.isFinite,
      "a token is received and expires at some time")
    try Finding.unless(
      access.authorization.reveal().utf8.allSatisfy { (0x20...0x7E).contains($0) }, "a header can carry the token")
    try Finding.unless(refresh?.isEmpty != true, "there is no empty refresh token")
  }

  /// An answer that was accepted is not lost at the next launch.
  func checkCanBeStored() throws {
    let session = AuthSession(user: User(id: "ada"), tokens: self)
    try SessionRecord(session: session, signedInAt: access.receivedAt).checkSurvivesStorage()
  }
}

extension SessionRecord {
  func checkSurvivesStorage() throws {
    let written = SessionCoder().encode(self)
    let read = (try? SessionCoder().decode(written))
    try Finding.unless(read == self, "what is written is read as it was")
    try Finding.unless(read.map { SessionCoder().encode($0) } == written, "and is written in the same bytes again")
  }
}
