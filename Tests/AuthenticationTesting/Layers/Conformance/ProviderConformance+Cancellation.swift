import AuthenticationData
import AuthenticationDomain

extension ProviderConformance {
  func checkCancellation(of session: AuthSession, _ findings: ConformanceFindings) async {
    let script = self.script
    await checkCancellation("A sign-in", findings) { provider throws(AuthenticationError) in
      _ = try await provider.signIn(with: script.credentials, attributes: script.attributes)
    }
    if script.refresh == nil { return }
    await checkCancellation("A refresh", findings) { provider throws(AuthenticationError) in
      _ = try await provider.refresh(session)
    }
  }

  /// Cancels a call whose request is in flight: cancelling reaches the transport at once, or never.
  private func checkCancellation(
    _ name: String, _ findings: ConformanceFindings,
    _ body: @escaping @Sendable (any RemoteAuthProvider) async throws(AuthenticationError) -> Void
  ) async {
    let transport = ConformanceTransport([.hold], documents: script.documents)
    guard let provider = try? makeProvider(over: transport) else { return }
    let call = Task { () async -> AuthenticationError? in
      defer { transport.endCall() }
      do throws(AuthenticationError) {
        try await body(provider)
        return nil
      } catch {
        return error
      }
    }
    await transport.waitForHold()
    call.cancel()
    let isCancelled = transport.isCancelled
    transport.release()
    let error = await call.value
    guard transport.isHeld else { return }
    if !isCancelled { findings.note(.cancellation, "\(name) whose task is cancelled waits for its answer.") }
    if isCancelled, error != .cancelled {
      findings.note(
        .cancellation, "\(name) that is cancelled ends with \(error.map { "'\($0.code)'" } ?? "a success").")
    }
    if transport.sent.count > 1 {
      findings.note(.cancellation, "\(name) that is cancelled sends \(transport.sent.count - 1) more requests.")
    }
  }
}
