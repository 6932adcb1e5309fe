import AuthenticationDomain

extension AccountModel {
  /// Asks whether the account shall be deleted. Does nothing if it cannot be.
  public func askToDelete() {
    if case .shown(let overview, _) = state, overview.canDelete { state = .confirmingDeletion(overview) }
  }

  /// Deletes it for ever, which the person has confirmed.
  public func confirmDeletion() {
    if case .confirmingDeletion(let overview) = state { delete(overview) }
  }

  private func delete(_ overview: AccountOverview) {
    guard let deletion = parts.deletion, !call.isRunning, !leaveIfForeign() else { return }
    call.run(
      { () async throws(AuthenticationError) in try await deletion.deleteAccount() },
      then: {
        [weak self] result in
        switch result {
        case .success: self?.state = .deleted
        case .failure(let error): self?.fail(error, overview) { [weak self] in self?.delete(overview) }
        }
      })
    state = .deleting(overview, call: call.id)
  }
}

extension AccountParts {
  func make(_ change: AccountChange) async throws(AuthenticationError) -> AccountOutcome {
    switch change {
    case .unlink(let method): try await methods?.unlink(method)
    case .end(let session): try await sessions?.end(session)
    case .remove(let factor): try await factors?.remove(factor)
    case .enrol(let kind): return try await factors?.enrol(kind) ?? .done
    }
    return .done
  }
}
