import AuthenticationKit
import AuthenticationPasskeys
import AuthenticationTestingServers
import Foundation

/// A software authenticator whose one passkey outlives the process: it is made again of the options and the random
/// bytes of its creation.
struct KeptPasskeys: Sendable {
  private struct Kept: Codable {
    let options: Data
    let seed: [UInt8]
  }

  private static let key = "passkey"
  let authenticator: SoftwareAuthenticator
  private let files: FileStorage
  private let seed: [UInt8]

  init(in folder: URL, origin: String) {
    files = FileStorage(folder: folder)
    let kept = Self.read(files)
    let seed = kept?.seed ?? AuthProviderConfiguration.Environment.systemRandomBytes(32)
    self.seed = seed
    authenticator = SoftwareAuthenticator(origin: origin) { Array(seed.prefix($0)) }
  }

  /// Makes the kept passkey again; there is none on a new device.
  func restore() async {
    guard let kept = Self.read(files), let options = try? PasskeyCreationOptions(json: kept.options) else { return }
    _ = try? await authenticator.register(options)
  }

  func register(_ challenge: Challenge) async throws(AuthenticationError) -> ChallengeAnswer {
    let answer = try await authenticator.answer(challenge, relyingPartyID: "localhost")
    let kept = Kept(options: Data((challenge.passkeyRequest?.reveal() ?? "").utf8), seed: seed)
    if let data = try? JSONEncoder().encode(kept) { try? files.write(data, for: Self.key) }
    return answer
  }

  private static func read(_ files: FileStorage) -> Kept? {
    (try? files.read(key)).flatMap { try? JSONDecoder().decode(Kept.self, from: $0) }
  }
}
