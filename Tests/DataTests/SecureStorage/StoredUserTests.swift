import AuthenticationDomain
import Foundation
import Testing

@testable import AuthenticationData

@Suite struct StoredUserTests {
  static let profile = User(
    id: "ada", name: "Ada Lovelace", email: "ada@example.com", isEmailVerified: true, phoneNumber: "+491701234567",
    picture: "https://example.com/ada.png", locale: "en-GB",
    createdAt: Date(timeIntervalSinceReferenceDate: 788_914_800.25), isAnonymous: true,
    claims: [
      "plan": "pro", "groups": ["admin", nil], "limits": ["storage": 1.5, "open": false],
    ])

  static func record(of user: User) throws -> SessionRecord {
    let token = try AccessToken(Secret("access-1"), receivedAt: Date(timeIntervalSinceReferenceDate: 788_918_400))
    return SessionRecord(session: AuthSession(user: user, tokens: SessionTokens(access: token)), signedInAt: nil)
  }

  @Test func `the profile that a provider returned is stored, byte for byte`() throws {
    let fixture = try StoredFormatTests.fixture("session-v1-profile")
    let record = try Self.record(of: Self.profile)
    #expect(SessionCoder().encode(record) == fixture)
    #expect((try? SessionCoder().decode(fixture)) == record)
  }

  @Test func `claims that only the app understands survive, whatever they hold`() throws {
    let deep = (0..<10).reduce(JSONValue.string("end")) { value, _ in ["in": [value, 1, true]] }
    let user = User(id: "ada", claims: ["": "", "a\nb 9 c": "x\ny 3 z", "deep": deep, "none": nil, "empty": [:]])
    let record = try Self.record(of: user)
    #expect((try? SessionCoder().decode(SessionCoder().encode(record))) == record)
  }

  @Test(arguments: [
    "claim 1 a\n", "claim 1 a\nclaim-array 1 9\nclaim-text 1 x\n", "claim 1 a\nclaim-array 2 -1\n",
    "claim 1 a\nclaim-object 1 1\nclaim-text 1 x\n", "claim-text 1 x\n", "claim 1 a\nclaim-number 1 x\n",
    "claim 1 a\n" + String(repeating: "claim-array 1 1\n", count: 100) + "claim-null 0 \n",
    "claim 1 a\nclaim-array 19 9223372036854775807\n",
  ])
  func `a claim that is not complete is left out, and the session is read`(claims: String) throws {
    let session = "user-id 3 ada\n\(claims)access 8 access-1\ntype 6 Bearer\nreceived-at 11 788918400.0\n"
    let record = try SessionCoder().decode(StoredFormatTests.sealed(session))
    #expect(record.session?.user == User(id: "ada"))
  }
}
