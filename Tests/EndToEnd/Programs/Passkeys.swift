import AuthenticationData
import AuthenticationDomain
import AuthenticationPasskeys
import AuthenticationTestingServers
import Foundation

/// A client with a software authenticator, for a server that reads and writes lines:
///
///     passkeys ORIGIN RELYING-PARTY-ID
///
/// A line is `create OPTIONS` or `get OPTIONS`, in JSON; the answer is the response in JSON, or `failed CODE CHECK`.
enum Passkeys {
  static func run(_ arguments: [String]) async {
    guard arguments.count == 2 else { exit(64) }
    let authenticator = SoftwareAuthenticator(origin: arguments[0]).checking(relyingPartyID: arguments[1])
    while let line = readLine() {
      let words = line.split(separator: " ", maxSplits: 1)
      guard words.count == 2 else { exit(65) }
      do throws(AuthenticationError) {
        let options = Data(words[1].utf8)
        let response =
          words[0] == "create"
          ? try await authenticator.register(try PasskeyCreationOptions(json: options)).json
          : try await authenticator.sign(try PasskeyRequestOptions(json: options), presentation: .modal).json
        tell(String(decoding: response, as: UTF8.self))
      } catch {
        tell("failed \(error.code) \(error.reason?.description ?? "-")")
      }
    }
  }
}
