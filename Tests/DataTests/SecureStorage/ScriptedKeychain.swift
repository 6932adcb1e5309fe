import Synchronization

@testable import AuthenticationData
import Foundation

/// A keychain in memory. It gives the scripted answers first, without acting on them, and then behaves.
final class ScriptedKeychain: KeychainItems {
  /// A keychain knows no order of them.
  typealias Attributes = Set<KeychainAttribute>

  enum Call: Equatable {
    case copy(Attributes)
    case add(Attributes)
    case update(Attributes, with: Attributes)
    case delete(Attributes)
  }

  private struct State {
    var answers: [KeychainStatus] = []
    var calls: [Call] = []
    var items: [Attributes: Attributes] = [:]

    mutating func scriptedAnswer(to call: Call) -> KeychainStatus? {
      calls.append(call)
      return answers.isEmpty ? nil : answers.removeFirst()
    }
  }

  private let state = Mutex(State())

  var calls: [Call] { state.withLock { $0.calls } }
  var unusedAnswers: [KeychainStatus] { state.withLock { $0.answers } }

  /// Forgets the calls made so far.
  func script(_ answers: KeychainStatus...) { script(answers) }

  func script(_ answers: [KeychainStatus]) {
    state.withLock {
      $0.answers = answers
      $0.calls = []
    }
  }

  func copy(_ query: KeychainAttributes) -> (status: KeychainStatus, value: Data?) {
    let query = Set(query)
    return state.withLock { state in
      if let answer = state.scriptedAnswer(to: .copy(query)) { return (answer, nil) }
      guard let item = state.items[query] else { return (.itemNotFound, nil) }
      return (.success, item.value)
    }
  }

  func add(_ attributes: KeychainAttributes) -> KeychainStatus {
    let attributes = Set(attributes)
    return state.withLock { state in
      if let answer = state.scriptedAnswer(to: .add(attributes)) { return answer }
      guard state.items[attributes.identity] == nil else { return .duplicateItem }
      state.items[attributes.identity] = attributes
      return .success
    }
  }

  func update(_ query: KeychainAttributes, with changes: KeychainAttributes) -> KeychainStatus {
    let (query, changes) = (Set(query), Set(changes))
    return state.withLock { state in
      if let answer = state.scriptedAnswer(to: .update(query, with: changes)) { return answer }
      guard state.items[query] != nil else { return .itemNotFound }
      state.items[query] = query.union(changes)
      return .success
    }
  }

  func delete(_ query: KeychainAttributes) -> KeychainStatus {
    let query = Set(query)
    return state.withLock { state in
      if let answer = state.scriptedAnswer(to: .delete(query)) { return answer }
      return state.items.removeValue(forKey: query) == nil ? .itemNotFound : .success
    }
  }
}

extension Set<KeychainAttribute> {
  fileprivate var identity: Self {
    filter {
      switch $0 {
      case .value, .accessible, .accessControl: false
      default: true
      }
    }
  }

  fileprivate var value: Data? {
    for case .value(let data) in self { return data }
    return nil
  }
}
