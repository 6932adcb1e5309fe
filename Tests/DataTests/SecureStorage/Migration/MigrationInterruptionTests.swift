import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Testing

@testable import AuthenticationData

/// failure row 6: killed at every numbered step, between two storages of every kind of history.
@Suite struct MigrationInterruptionTests {
  let home = TemporaryFolder()
  let first = Data("first".utf8)
  let second = Data("second".utf8)

  /// The state that an earlier process left: nothing moved, a move interrupted, an older value's move interrupted, all
  /// moved.
  enum History: CaseIterable {
    case unmoved, copied, copiedBefore, moved
  }

  /// Both sides as they are on disk, and a process's part with them.
  private func sides(_ history: History) throws -> (old: MovableStorage, new: MovableStorage) {
    let (old, new) = (MovableStorage(), MovableStorage())
    if history != .moved { try old.write(first, for: "session") }
    switch history {
    case .unmoved: break
    case .copied, .moved: try new.write(first, for: "session")
    case .copiedBefore: try new.write(Data("older".utf8), for: "session")
    }
    return (old, new)
  }

  private func storage(
    _ old: any SecureStorage, _ new: any SecureStorage, _ life: Mortality? = nil
  ) -> MigratingStorage {
    func seen(_ side: any SecureStorage) -> any SecureStorage {
      guard let life else { return side }
      return MortalStorage(upstream: side, life: life)
    }
    return MigratingStorage(
      from: seen(old), to: seen(new), lockPath: home.url.appending(path: "lock").path)
  }

  /// Kills a process at each step of an access until one lives through it; answers in how many steps.
  private func killEverywhere(
    _ history: History, isSurvived: Bool = false, _ access: (MigratingStorage) throws -> Void,
    then check: (MigratingStorage, _ isDone: Bool) throws -> Void
  ) throws -> Int {
    for step in 1...20 {
      var hasLived = false
      for moment in Mortality.Moment.allCases {
        let (old, new) = try sides(history)
        let life = Mortality(dyingAt: step, moment, isSurvived: isSurvived)
        let isDone = (try? access(storage(old, new, life))) != nil
        try check(storage(old, new), isDone)
        hasLived = !life.isOver
      }
      if hasLived { return step }
    }
    return 0
  }

  @Test(arguments: History.allCases)
  func `a process killed while it reads loses nothing`(history: History) throws {
    let steps = try killEverywhere(history) {
      _ = try $0.read("session")
    } then: { reborn, _ in
      for _ in 1...2 {
        let found = try reborn.read("session")
        #expect(found == first)
      }
    }
    #expect(steps > (history == .moved ? 2 : 5))
  }

  @Test(arguments: History.allCases)
  func `a process killed while it writes leaves the old value or the new one`(history: History) throws {
    let steps = try killEverywhere(history) {
      try $0.write(second, for: "session")
    } then: { reborn, isDone in
      let found = try reborn.read("session")
      #expect(found == second || !isDone && found == first)
      let again = try reborn.read("session")
      #expect(again == found)
    }
    #expect(steps > (history == .moved ? 2 : 5))
  }

  @Test(arguments: History.allCases)
  func `a process killed while it deletes leaves the old value or none`(history: History) throws {
    let steps = try killEverywhere(history) {
      try $0.delete("session")
    } then: { reborn, isDone in
      let found = try reborn.read("session")
      #expect(found == nil || !isDone && found == first)
    }
    #expect(steps > 2)
  }

  @Test(arguments: History.allCases)
  func `whichever call of a storage fails, nothing is lost, and no failure is told as a success`(history: History)
    throws
  {
    let reads = try killEverywhere(history, isSurvived: true) {
      let found = try $0.read("session")
      #expect(found == first)
    } then: { reborn, _ in
      let found = try reborn.read("session")
      #expect(found == first)
    }
    let writes = try killEverywhere(history, isSurvived: true) {
      try $0.write(second, for: "session")
    } then: { reborn, isDone in
      let found = try reborn.read("session")
      #expect(found == second || !isDone && found == first)
    }
    let deletions = try killEverywhere(history, isSurvived: true) {
      try $0.delete("session")
    } then: { reborn, isDone in
      let found = try reborn.read("session")
      #expect(found == nil || !isDone)
    }
    #expect(reads > 2 && writes > 2 && deletions > 2)
  }

  #if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
  @Test(arguments: 1...8)
  func `a process that the kernel kills while it moves files loses nothing`(step: Int) async throws {
    let folder = home.url
    let (old, new) = (folder.appending(path: "old"), folder.appending(path: "new"))
    try FileStorage(folder: old).write(first, for: "session")
    let lock = folder.appending(path: "lock").path
    let (oldPath, newPath) = (old.path, new.path)
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [oldPath = oldPath as String, newPath = newPath as String, lock = lock as String, step = step as Int] in
      let steps = Countdown(step)
      let storage = MigratingStorage(
        from: SuicidalStorage(upstream: FileStorage(folder: URL(filePath: oldPath)), steps: steps),
        to: SuicidalStorage(upstream: FileStorage(folder: URL(filePath: newPath)), steps: steps), lockPath: lock)
      while true { try storage.write(Data("second".utf8), for: "session") }
    }
    let storage = MigratingStorage(from: FileStorage(folder: old), to: FileStorage(folder: new), lockPath: lock)
    let found = try storage.read("session")
    #expect(found == (step <= 2 ? first : second))
    #expect(try FileStorage(folder: old).read("session") == nil)
    #expect(try FileStorage(folder: new).read("session") == found)
  }
  #endif
}
