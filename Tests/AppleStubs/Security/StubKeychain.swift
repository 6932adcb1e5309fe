/// An empty keychain that takes everything, for a probe that runs: what it was told, and what it was given.
public enum StubKeychain {
  nonisolated(unsafe) public static var makesAccessControls = true
  nonisolated(unsafe) public static var writes: [CFDictionary] = []
}
