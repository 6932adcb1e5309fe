import Foundation

/// Says what holds; ends the program with 1 at the first thing that does not.
func expect(_ fact: String, _ holds: Bool) {
  print(holds ? "  yes: \(fact)" : "  NO: \(fact)")
  if !holds { exit(1) }
}
