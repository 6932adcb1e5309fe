import AuthenticationDomain
import Foundation
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
    print("KeychainStorage, run against the stubs: both gates are asked for, and nothing is stored without its gate")
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

  private static func require(_ condition: Bool, _ fact: String) throws(AuthenticationError) {
    guard condition else { throw AuthenticationError(.unexpectedResponse, fact) }
  }
}
