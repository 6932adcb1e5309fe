import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import ReliabilityWorld

/// The folder or a file in it is closed to the process, by mode and by owner, for real.
///
/// Root is refused nothing: where this runs as root, the client becomes another user.
enum FolderFaults {
  private static let otherUser = 65_534

  static func run(_ facts: inout Facts) async throws {
    print("\nThe folder, at a refresh")
    let table = Table([34, 20, 54, 34, 12])
    table.print(["fault", "the caller got", "the session meanwhile", "a new process", "afterwards", "on disk"])
    let isRoot = geteuid() == 0
    var world = try await World(grace: .zero)
    for fault in FolderFault.allCases {
      guard isRoot || !fault.needsRoot else {
        print("\(fault.rawValue): not run, only root can give a file to another user")
        continue
      }
      world.makeNewFolder()
      let row = try meet(fault, as: isRoot ? otherUser : nil, in: world)
      table.print([row.name, row.got, row.meanwhile, row.launched ?? "", row.afterwards, row.stored])
      facts.expect(["ok", "storage_unavailable"].contains(row.got), "\(row.name): the caller gets a token, or why not")
      facts.expect(row.meanwhile.hasPrefix("signed-in ada"), "\(row.name): the session is kept")
      facts.expect(
        row.launched.map(fault.allows) ?? false, "\(row.name): a new process does not say that no user is signed in")
      facts.expect(row.afterwards == "ok" && row.stored == "ada current", "\(row.name): afterwards all is stored")
    }
    facts.expect(world.server.counters.familiesRevoked == 0, "the folder: no family is revoked")
    await world.end()
  }

  private static func meet(_ fault: FolderFault, as user: Int?, in world: World) throws -> FaultRow {
    let folder = world.folder.url.path
    let owner = user ?? Int(geteuid())
    let identity = user.map { ["--user", "\($0)"] } ?? []
    try FileManager.default.setAttributes([.ownerAccountID: owner, .groupOwnerAccountID: owner], ofItemAtPath: folder)
    let client = try world.client(["--backoff", "20"] + identity)
    _ = try client.ask("sign-in ada")
    // So that every file is there that a process makes.
    _ = try client.ask("refresh")
    try fault.begin(folder)
    let launched = try world.client(identity).answer("state")
    let got = try client.answer("refresh")
    let meanwhile = try client.answer("state")
    try fault.end(folder, owner: owner)
    let saved = try client.recovered(by: "stored", until: "ada current")
    return FaultRow(
      name: fault.rawValue, got: got, meanwhile: meanwhile, launched: launched,
      afterwards: try client.recovered(by: "refresh"), stored: saved)
  }
}
