import AuthenticationKit
import Foundation

/// The steps that an account service asked for, kept by the app for its next launch; the last one is asked now.
struct PendingStep: Sendable {
  private struct Kept: Codable {
    let kind: String
    let handle: String
  }

  private static let key = "account-step"
  private let files: FileStorage

  init(in folder: URL) { files = FileStorage(folder: folder) }

  var challenge: Challenge? {
    kept.last.map { Challenge(kind: .init(id: $0.kind), handle: Secret($0.handle)) }
  }

  func push(_ challenge: Challenge) {
    write(kept + [Kept(kind: challenge.kind.id, handle: challenge.handle.reveal())])
  }

  func pop() { write(kept.dropLast()) }

  func replace(with challenge: Challenge) {
    pop()
    push(challenge)
  }

  private var kept: [Kept] {
    (try? files.read(Self.key)).flatMap { try? JSONDecoder().decode([Kept].self, from: $0) } ?? []
  }

  private func write(_ kept: [Kept]) {
    if let data = try? JSONEncoder().encode(kept) { try? files.write(data, for: Self.key) }
  }
}
