extension Invariants {
  /// The sign-ins in flight on one manager, and the one that began last.
  struct Attempts {
    let open: Set<Int>
    let latest: Int?
  }

  func attempts(on client: Int) -> Attempts {
    Attempts(open: views[client]?.openSignIns ?? [], latest: views[client]?.latestSignIn)
  }

  /// The provider is asked; an earlier sign-in of this manager that is not the session by now never will be.
  mutating func signInBegan(_ call: Int, on client: Int) {
    guard let view = views[client] else { return }
    for earlier in view.openSignIns where !wasAdopted(earlier) { overtakenCalls.insert(earlier) }
    views[client]?.openSignIns.insert(call)
    views[client]?.latestSignIn = call
    switch view.shown {
    case .signedOut, .signedIn: views[client]?.openChallenge = nil
    default: break
    }
  }

  /// The user has cancelled the attempt of these calls, or begun another: their result never becomes the session if it
  /// is not by then.
  mutating func giveUp(_ calls: [Int]) { givenUpCalls.formUnion(calls.filter { !wasAdopted($0) }) }

  func wasAdopted(_ call: Int) -> Bool { families.values.contains { $0.call == call && $0.wasAdopted } }

  mutating func signInEnded(_ call: Int, on client: Int) { views[client]?.openSignIns.remove(call) }

  /// The provider asks for a second step.
  mutating func asked(_ handle: String, for call: Int, on client: Int) {
    if views[client]?.latestSignIn == call { views[client]?.openChallenge = handle }
  }

  /// - Parameter attempts: of the time when it was asked to sign out, which it has done.
  mutating func overtake(_ attempts: Attempts, on client: Int) {
    guard let view = views[client] else { return }
    overtakenCalls.formUnion(attempts.open)
    if let family = view.shown.family, let call = families[family]?.call, attempts.open.contains(call) {
      fail("\(view.name) signed out, and the sign-in to \(family) came through")
    }
    guard view.latestSignIn == attempts.latest else { return }
    if case .challenged(let handle) = view.shown { fail("\(view.name) signed out, and asks for the code of \(handle)") }
    views[client]?.latestSignIn = nil
    views[client]?.openChallenge = nil
  }
}
