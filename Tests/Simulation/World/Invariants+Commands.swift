extension Invariants {
  mutating func couldNotResolve(_ client: Int) { views[client]?.couldNotResolve = true }

  /// A process that refreshes nothing in the background first resolves another one's unfinished refresh, unless it
  /// tried.
  mutating func returns(_ set: TokenSet, by client: Int) {
    guard rotates, let view = views[client], view.isCommand, !view.couldNotResolve else { return }
    guard let known = view.known, known.session == set, known.sends > 0, !known.isAnswered else { return }
    if !sends.contains(where: { $0.client == client && $0.token == set }) {
      fail("\(view.name), a command, gives \(set), which was sent \(known.sends) times without a known end")
    }
  }
}
