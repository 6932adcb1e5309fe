import AuthenticationData
import AuthenticationDomain
import Foundation

/// Where the processes of an app keep the step that waits for the user.
struct SimulatedSecrets: SecureStorage {
  let client: Client
  private var world: World { client.world }

  func read(_ key: String) throws(AuthenticationError) -> Data? {
    guard client.process.step() else { return nil }
    try refuse(world.disk.refusesReads)
    return world.disk.steps[key]
  }

  func write(_ value: Data, for key: String) throws(AuthenticationError) { try change(key, to: value) }
  func delete(_ key: String) throws(AuthenticationError) { try change(key, to: nil) }

  /// A step before it happens and one after it, as a write of the session is.
  private func change(_ key: String, to value: Data?) throws(AuthenticationError) {
    guard client.process.step() else { return }
    try refuse(world.disk.refusesWrites)
    world.note("\(client.name) \(value == nil ? "removes the step that waits" : "keeps a step that waits")")
    world.disk.steps[key] = value
    _ = client.process.step()
  }

  private func refuse(_ isRefused: Bool) throws(AuthenticationError) {
    guard isRefused || world.attempts.chance(world.disk.faultPercent) else { return }
    world.disk.hasRefusedSteps = true
    throw .simulatedStorage
  }
}

extension Disk {
  /// Whether a step with one of these handles is kept.
  func holdsStep(_ handles: [String]) -> Bool {
    guard !steps.isEmpty, !handles.isEmpty else { return false }
    let kept = steps.values.map { String(decoding: $0, as: UTF8.self) }
    return handles.contains { handle in kept.contains { $0.contains(handle) } }
  }
}
