import AuthenticationData
import AuthenticationDomain
import AuthenticationKit
import Foundation

/// Reading a stored session back: warm, first in a process, and its memory.
enum Restore {
  static func figures() async throws -> [Figure] {
    let folder = FileManager.default.temporaryDirectory.appending(path: "benchmarks-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let session = try Samples.session()
    try FileStorage(folder: folder).sessionStore().save(SessionRecord(session: session))
    return try await warm(folder, session) + [try await touched(folder)] + FirstRestore.figures(folder, session)
  }

  private static func warm(_ folder: URL, _ session: AuthSession) async throws -> [Figure] {
    let store = FileStorage(folder: folder).sessionStore()
    let flat = try JSONEncoder().encode(FlatRecord(session))
    let file = folder.appending(path: "flat")
    try flat.write(to: file)
    let ours = Subject(500) { count in
      for _ in 0..<count { blackHole(try store.read()) }
    }
    let fileAndDecoder = Subject(500) { count in
      for _ in 0..<count { blackHole(try JSONDecoder().decode(FlatRecord.self, from: try Data(contentsOf: file))) }
    }
    let decoder = Subject(500) { count in
      for _ in 0..<count { blackHole(try JSONDecoder().decode(FlatRecord.self, from: flat)) }
    }
    let memory = InMemoryStorage()
    try memory.sessionStore().save(SessionRecord(session: session))
    let inMemory = Subject(500) { count in
      let store = memory.sessionStore()
      for _ in 0..<count { blackHole(try store.read()) }
    }
    let fromFile = try await Timing.compare(rounds: 101, ours, fileAndDecoder)
    let fromBytes = try await Timing.compare(rounds: 101, inMemory, decoder)
    let allocations = try await Allocations.perOperation(ours.operations, ours.body)
    return [
      Figure(
        "restore from a file, \(flat.count) bytes", fromFile.ours / 1_000, .microseconds, allocations: allocations),
      Figure(
        "  against the file and JSONDecoder into a flat struct (\((fromFile.other / 1_000).short) µs)",
        fromFile.ratio, .times, atMost: 1.2),
      Figure(
        "  the same without files, against JSONDecoder (\((fromBytes.other / 1_000).short) µs)", fromBytes.ratio,
        .times, atMost: 1.2),
      Figure(
        "  with its file, against JSONDecoder without one", fromFile.ours / fromBytes.other, .times),
    ]
  }

  /// How often a launch reads the storage; a request to the network is a fault.
  private static func touched(_ folder: URL) async throws -> Figure {
    let storage = CountedStorage(FileStorage(folder: folder))
    let client = CountedHTTPClient()
    let root = try MainRoot(.api(baseURL: "https://api.example.com")) {
      $0.storage = .always(storage.sessionStore())
      $0.providerTransport = client
      $0.apiTransport = client
    }
    await root.manager.restore()
    blackHole(try await root.manager.validSession())
    var figure = Figure("  reads of the storage at a launch", Double(storage.reads), .count, atMost: 1)
    if client.requests > 0 { figure.fault = "\(client.requests) requests" }
    return figure
  }
}
