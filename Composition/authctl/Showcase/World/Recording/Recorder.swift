import AuthenticationDomain
import AuthenticationTestingServers
import Synchronization

/// Collects what happens backstage, on any thread.
final class Recorder: Sendable {
  private struct Contents {
    var steps = Repeated<Backstage.Step>()
    var requests = Repeated<LoopbackExchange>()
    var letters: [Letter] = []
    var version = 0
  }

  private let contents = Mutex(Contents())
  private let changed = Broadcast<Void>()

  /// An element for each change; of several that nobody has taken yet, one.
  func changes() -> AsyncStream<Void> { changed.values(keeping: 1) }

  /// A person or a switch sets something in motion: the trail begins anew.
  func begin(_ intent: String) {
    change {
      $0.steps = Repeated()
      $0.steps.append(Backstage.Step(number: 1, station: .intent, title: intent))
    }
  }

  func step(_ station: Backstage.Station, _ title: String, _ detail: String = "") {
    change { $0.steps.append(Backstage.Step(number: 0, station: station, title: title, detail: detail)) }
  }

  /// Of a server.
  func receive(_ exchange: LoopbackExchange) { change { $0.requests.append(exchange) } }

  func deliver(_ letter: Letter) { change { $0.letters.append(letter) } }

  /// Something else has changed that a snapshot shows.
  func touch() { change { _ in } }

  /// - Parameter number: from 1.
  func letter(_ number: Int) -> Letter? {
    contents.withLock { $0.letters.indices.contains(number - 1) ? $0.letters[number - 1] : nil }
  }

  func write(into backstage: inout Backstage) {
    let contents = contents.withLock { $0 }
    backstage.number = contents.version
    backstage.trail = contents.steps.entries.enumerated().map { index, entry in
      let times = entry.count > 1 ? ["× \(entry.count)"] : []
      return Backstage.Step(
        number: index + 1, station: entry.element.station, title: entry.element.title,
        detail: ([entry.element.detail] + times).filter { !$0.isEmpty }.joined(separator: " "))
    }
    backstage.requests = contents.requests.entries.enumerated().map { index, entry in
      Backstage.Request(
        number: index + 1, method: entry.element.method, path: entry.element.path, status: entry.element.status,
        count: entry.count > 1 ? entry.count : nil)
    }
    backstage.mailbox = contents.letters.enumerated().map { index, letter in
      Backstage.Message(
        number: index + 1, address: letter.address, type: letter.type, code: letter.code, hasLink: letter.link != nil)
    }
  }

  private func change(_ change: (inout Contents) -> Void) {
    contents.withLock {
      change(&$0)
      $0.version += 1
    }
    changed.send(())
  }
}
