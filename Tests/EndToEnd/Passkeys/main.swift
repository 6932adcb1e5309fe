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
let arguments = CommandLine.arguments
guard arguments.count == 3 else { exit(64) }
let authenticator = SoftwareAuthenticator(origin: arguments[1]).checking(relyingPartyID: arguments[2])

while let line = readLine() {
  let words = line.split(separator: " ", maxSplits: 1)
  guard words.count == 2 else { exit(65) }
  do throws(AuthenticationError) {
    tell(try await response(to: String(words[0]), Data(words[1].utf8)))
  } catch {
    tell(Data("failed \(error.code) \(error.check?.description ?? "-")".utf8))
  }
}

func response(to request: String, _ options: Data) async throws(AuthenticationError) -> Data {
  request == "create"
    ? try await authenticator.register(try PasskeyCreationOptions(json: options)).json
    : try await authenticator.sign(try PasskeyRequestOptions(json: options), presentation: .modal).json
}

/// At once: whoever reads it waits for it.
func tell(_ line: Data) { FileHandle.standardOutput.write(line + Data("\n".utf8)) }
