import AuthenticationData
import AuthenticationDomain
import AuthenticationMovingIn
import Foundation

/// Another library's session, in archives that name classes.
enum ArchiveTarget {
  private static let now = Date(timeIntervalSinceReferenceDate: 799_999_000)

  static func check(_ input: [UInt8]) throws {
    let archive = Data(input)
    try check { () throws(AuthenticationError) in try .appAuth(archive, at: now) }
    try check { () throws(AuthenticationError) in try .auth0(archive, at: now) }
    try check { () throws(AuthenticationError) in try .firebase(archive, at: now) }
  }

  private static func check(_ read: () throws(AuthenticationError) -> AuthSession) throws {
    switch Result(catching: { () throws(AuthenticationError) in try read() }) {
    case .success(let session):
      try Finding.unless(!session.user.id.isEmpty, "a session has a user")
      try session.tokens.checkPlausibility()
      try session.tokens.checkCanBeStored()
    case .failure(let error):
      try error.checkSilence()
      try Finding.unless(error == .storageCorrupt, "an archive that is none is corrupt")
    }
  }
}
