import AuthenticationDomain
import Foundation
import LocalAuthentication
import Security

/// Runs `KeychainStorage` down to the stubs: which gate reaches the system, and that nothing reaches it without one.
@main struct KeychainProbe {
  static let gates: [(KeychainStorage.LocalAuthentication, SecAccessControlCreateFlags)] = [
    (.userPresence, .userPresence), (.currentBiometry, .biometryCurrentSet),
  ]

  static func main() throws {
    for (gate, flags) in gates {
      let writes = try write(behind: gate)
      try require(writes.count == 2, "The item is updated, and then added.")
      for item in writes {
        let control = item[kSecAttrAccessControl] as? SecAccessControl
        try require(control?.flags == flags, "The item has the gate that was asked for.")
        try require(control?.protection as? String == kSecAttrAccessibleWhenUnlockedThisDeviceOnly, "It stays here.")
        try require(item[kSecAttrAccessible] == nil, "No accessibility beside the gate.")
      }
    }
    try refusesWhatHasNoGate()
    try asksOnce()
    print(
      """
      KeychainStorage, run against stubs: both gates are asked for, nothing is stored without its gate, and one prompt \
      serves what is done within its time
      """)
  }

  private static func write(behind gate: KeychainStorage.LocalAuthentication) throws(AuthenticationError)
    -> [CFDictionary]
  {
    StubKeychain.writes = []
    let storage = KeychainStorage(
      service: "probe", accessibility: .whenUnlockedThisDeviceOnly, localAuthentication: gate)
    try storage.write(Data([1]), for: "session")
    return StubKeychain.writes
  }

  private static func refusesWhatHasNoGate() throws {
    StubKeychain.makesAccessControls = false
    for (gate, _) in gates {
      var refusal: AuthenticationError?
      do { _ = try write(behind: gate) } catch { refusal = error }
      try require(refusal?.cause == .init(domain: "OSStatus", code: -50), "A write without its gate fails as one.")
      try require(StubKeychain.writes.isEmpty, "Nothing reaches the system without its gate.")
    }
  }

  private static func asksOnce() throws {
    let within = try contexts(of: .userPresence, reuse: .seconds(600))
    try require(within.count == 2 && within[0] === within[1], "What is done within the time has one prompt.")
    try require(within[0].localizedReason == "Open your notes", "The prompt says what the app wants.")
    let anew = try contexts(of: .userPresence, reuse: .zero)
    try require(anew.count == 2 && anew[0] !== anew[1], "After the time the user is asked again.")
    StubKeychain.finds = false
    let nothing = try contexts(of: .userPresence, reuse: .zero)
    StubKeychain.finds = true
    try require(nothing[0] === nothing[1], "A read that found nothing, and asked for nothing, begins no time.")
    try require(try contexts(of: nil, reuse: .seconds(600)).isEmpty, "Without a gate there is no prompt.")
  }

  /// The contexts of two reads.
  private static func contexts(of gate: KeychainStorage.LocalAuthentication?, reuse: Duration) throws -> [LAContext] {
    StubKeychain.queries = []
    let storage = KeychainStorage(
      service: "probe", localAuthentication: gate, reason: "Open your notes", reuse: reuse)
    for _ in 1...2 { _ = storage.items.copy([.service("probe")]) }
    return StubKeychain.queries.compactMap { $0[kSecUseAuthenticationContext] as? LAContext }
  }

  private static func require(_ condition: Bool, _ fact: String) throws(AuthenticationError) {
    guard condition else { throw AuthenticationError(.unexpectedResponse, fact) }
  }
}
