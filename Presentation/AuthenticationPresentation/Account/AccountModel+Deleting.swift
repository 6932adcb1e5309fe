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
    let delete: ReauthenticationModel.Service = { proof async throws(AuthenticationError) in
      try await deletion.deleteAccount(proof: proof)
      return .done
    }
    call.run(
      { () async throws(AuthenticationError) in try await delete(nil) },
      then: { [weak self] in self?.showDeleted($0, overview, delete) })
    state = .deleting(overview, call: call.id)
  }

  private func showDeleted(
    _ result: Result<AccountOutcome, AuthenticationError>, _ overview: AccountOverview,
    _ delete: @escaping ReauthenticationModel.Service
  ) {
    switch result {
    case .success: state = .deleted
    // The account is gone at the provider, and its session is still in the store.
    case .failure(let error) where flows.control.state == .signedOut(.accountDeleted):
      state = .deleted
      _ = flows.noteRefusedErasure(error)
    case .failure(let error):
      fail(error, overview, takesProof: true, again: delete) { [weak self] in self?.showDeleted($0, overview, delete) }
    }
  }
}

extension AccountModel {
  /// Whether the store has refused to erase the session of the account that was deleted.
  public var canRetrySignOut: Bool {
    if case .deleted = state { flows.erasure.failure != nil } else { false }
  }

  /// What is left of the session of the account that was deleted; nil if nothing is.
  public var remainderSentence: String? { canRetrySignOut ? words("session.signed_out.not_erased") : nil }

  /// Has that session erased again. Does nothing if there is none, or while that is done.
  public func retrySignOut() {
    if canRetrySignOut, !call.isRunning { flows.eraseAgain(by: call) { _ in } }
  }
}

extension AccountParts {
  func make(
    _ change: AccountChange, proof: ChallengeAnswer? = nil
  ) async throws(AuthenticationError) -> AccountOutcome {
    switch change {
    case .unlink(let method): try await methods?.unlink(method)
    case .end(let session): try await sessions?.end(session, proof: proof)
    case .remove(let factor): try await factors?.remove(factor, proof: proof)
    case .enrol(let kind): return try await factors?.enrol(kind, proof: proof) ?? .done
    }
    return .done
  }
}
