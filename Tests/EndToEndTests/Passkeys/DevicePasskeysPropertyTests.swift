import AuthenticationAccount
import AuthenticationKit
import AuthenticationPasskeys
import AuthenticationTestingServers
import Foundation
import Testing

/// Any sequence of changes on two devices and the server. The seed makes the sequence: the same one fails again.
@Suite(.timeLimit(.minutes(10))) struct DevicePasskeysPropertyTests {
  @Test(arguments: 1...16 as ClosedRange<UInt64>)
  func `a device shows the passkeys that the server accepts once a sign-in is complete, and loses none before`(
    seed: UInt64
  ) async throws {
    var world = try await PasskeyWorld(seed: seed)
    for _ in 0..<40 { try await world.step() }
    await world.bench.server.stop()
  }
}

private struct PasskeyWorld {
  typealias Fault = LoopbackIdentityServer.Fault

  private static let listFaults: [Fault?] = [nil, nil, nil, .status(400), .firstPage, .truncatedJSON, .html, .empty]
  private static let answerFaults: [Fault?] = [nil, nil, .status(400), .dropAfterProcessing]

  let bench: PasskeyBench
  private let seed: UInt64
  private let devices: [PasskeyDevice]
  private var random: SplitMix
  /// Every passkey that was ever created, in order.
  private var created: [Data] = []
  /// Those of each device.
  private var createdHere: [Set<Data>]
  private var steps: [String] = []

  init(seed: UInt64) async throws {
    self.seed = seed
    random = SplitMix(state: seed)
    // Some servers say that they accept an absent user, and refuse.
    bench = try await PasskeyBench(accepts: !seed.isMultiple(of: 3), declares: true)
    devices = try [bench.device(seed: seed &* 1_000 &+ 1), bench.device(seed: seed &* 1_000 &+ 2)]
    createdHere = [[], []]
  }

  mutating func step() async throws {
    let index = Int.random(in: devices.indices, using: &random)
    let device = devices[index]
    let user = ["ada", "grace"].randomElement(using: &random) ?? "ada"
    let listFault = Self.listFaults.randomElement(using: &random) ?? nil
    let answerFault = Self.answerFaults.randomElement(using: &random) ?? nil
    bench.server.set(listFault, on: .acceptedPasskeys)
    bench.server.set(answerFault, on: .accountChallenge)
    let choice = Int.random(in: 0..<9, using: &random)
    steps.append(
      "\(choice) on \(index) for \(user), \(String(describing: listFault)), \(String(describing: answerFault))")
    switch choice {
    case 0, 1:
      let attempt = try await device.signIn(user)
      await complete(device, index)
      if choice == 1 { _ = await device.passkeys.upgrade(after: attempt) }
    case 2:
      let newest = device.authenticator.credentialIDs.last
      if case .ended(.signedIn) = try await device.signInWithPasskey().state {
        await complete(device, index)
      } else if let newest, device.authenticator.user == .verifies {
        expect(!device.authenticator.credentialIDs.contains(newest), "a passkey that failed is still shown")
      }
    case 3: try? await device.passkeys.create()
    case 4:
      let account = device.passkeys.account
      if let passkey = try? await account.factors().randomElement(using: &random) {
        _ = try? await account.perform(.remove(passkey))
      }
    case 5:
      if let id = created.randomElement(using: &random) {
        for user in ["ada", "grace"] { bench.server.removePasskey(id, ofUser: user) }
      }
    case 6: _ = try? await device.passkeys.account.update(ProfileChanges(name: "Name \(steps.count)"))
    case 7: try? await device.root.manager.signOut()
    default: device.authenticator.user = device.authenticator.user == .verifies ? .declines : .verifies
    }
    for index in devices.indices { note(index) }
  }

  /// A device's update after a sign-in; exact if the server has sent a complete list.
  private mutating func complete(_ device: PasskeyDevice, _ index: Int) async {
    guard let user = device.root.manager.state.user?.id, (try? await device.passkeys.synchronize()) == true else {
      return
    }
    note(index)
    let accepted = bench.server.passkeys(ofUser: user).intersection(createdHere[index])
    expect(device.shown(for: user) == accepted, "the device does not show what the server accepts")
    let account = bench.server.account(ofUser: user)
    let name = "\(user) (\(account?.firstName ?? "") \(account?.lastName ?? ""))"
    expect(
      device.authenticator.accountNames.allSatisfy { !$0.hasPrefix("\(user) (") || $0 == name },
      "the device shows another name")
  }

  /// In each case a passkey that this device has created, and the server accepts, is there.
  private mutating func note(_ index: Int) {
    let shown = devices[index].authenticator.credentialIDs
    created += shown.filter { !created.contains($0) }
    createdHere[index].formUnion(shown)
    let accepted = bench.server.passkeys(ofUser: "ada").union(bench.server.passkeys(ofUser: "grace"))
    expect(accepted.intersection(createdHere[index]).isSubset(of: shown), "a passkey that is accepted is lost")
  }

  private func expect(_ holds: Bool, _ sentence: Comment) {
    if !holds { Issue.record("seed \(seed): \(sentence)\n\(steps.joined(separator: "\n"))") }
  }
}
