import Foundation

/// States a fact; ends the program with 1 at the first false one.
func expect(_ fact: String, _ holds: Bool) {
  print(holds ? "  yes: \(fact)" : "  NO: \(fact)")
  if !holds { exit(1) }
}
