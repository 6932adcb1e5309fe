import AuthenticationTestingServers
import Foundation

/// One tab that is open: it is sent a whole snapshot whenever there is something else to see.
@MainActor
final class Tab {
  private struct Snapshot: Encodable {
    struct Region: Encodable {
      let version: String
      let html: String
    }

    let title: String
    let step: String
    let status: String
    let regions: [String: Region]
  }

  private let showcase: Showcase
  private let place: Place
  private let visitor: Visitor
  private var sent: [String: String] = [:]
  private var said: String?
  private var number = 0

  init(_ showcase: Showcase, at place: Place, of visitor: Visitor) {
    self.showcase = showcase
    self.place = place
    self.visitor = visitor
  }

  /// Ends when the browser has left, or the showcase stops.
  func events() -> AsyncStream<String> {
    let (events, event) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingNewest(8))
    let changes = showcase.changes()
    let work = Task {
      for await _ in changes { if let snapshot = snapshot() { event.yield(snapshot) } }
      event.finish()
    }
    // Of a code that is about to expire is said without any other change.
    let ticking = Task {
      while !Task.isCancelled {
        try await Task.sleep(for: .seconds(1))
        if let snapshot = snapshot() { event.yield(snapshot) }
      }
    }
    let heart = Task {
      while !Task.isCancelled {
        try await Task.sleep(for: .seconds(15))
        event.yield(EventStream.heartbeat)
      }
    }
    event.onTermination = { _ in
      work.cancel()
      ticking.cancel()
      heart.cancel()
    }
    return events
  }

  /// Nil if the tab shows all of it.
  private func snapshot() -> String? {
    let scene = showcase.scene(at: place, for: visitor)
    let versions = scene.versions()
    let status = scene.status
    guard versions != sent || status != said else { return nil }
    (sent, said) = (versions, status)
    number += 1
    let regions = scene.regions.map { region in
      (region.id, Snapshot.Region(version: versions[region.id] ?? "", html: region.part.markup))
    }
    return EventStream.event(
      "snapshot", id: number,
      Snapshot(
        title: scene.title, step: scene.step, status: status,
        regions: Dictionary(regions) { first, _ in first }))
  }
}
