import Foundation
import Testing

@testable import AuthenticationData

@Suite struct UserHomeTests {
  @Test func `a job with a home of its own keeps its state there`() {
    #expect(URL.userHome(["HOME": "/jobs/7"]).path == "/jobs/7")
  }

  @Test(arguments: [[:], ["HOME": ""], ["HOME": "jobs"]]) func `without an absolute one it is the account's`(
    environment: [String: String]
  ) {
    #expect(URL.userHome(environment) == .homeDirectory)
  }
}
