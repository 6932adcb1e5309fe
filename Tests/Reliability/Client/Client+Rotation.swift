import AuthenticationKit
import Foundation

extension Client {
  /// Lets `share` access tokens expire, and asks for another one after each; asks also where another process was first.
  ///
  /// The parent answers `expire` with `yes` where it was this process that let the current token expire.
  func rotate(_ share: Int) async -> String {
    var expired = 0
    var errors = 0
    while expired < share {
      guard let token = await root.manager.restore().session?.accessToken else { return "signed-out" }
      Output.say("expire \(token.value.reveal())")
      guard let answer = readLine() else { return "abandoned" }
      if answer == "yes" { expired += 1 }
      do throws(AuthenticationError) {
        let session = try await root.manager.validSession(rejecting: token, lasting: nil)
        if session.accessToken == token { errors += 1 }
      } catch {
        errors += 1
      }
    }
    return "done \(errors) " + waits.microseconds.map(String.init).joined(separator: ",")
  }
}
