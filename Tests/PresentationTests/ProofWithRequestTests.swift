import AuthenticationAccountPresentation
import AuthenticationAccount
import AuthenticationDomain
import AuthenticationPresentation
import AuthenticationTesting
import Testing

/// Account services that take a proof with their request.
@MainActor
@Suite(.timeLimit(.minutes(10))) struct ProofWithRequestTests {
  let world = World()
  let account = ScriptedAccount()
  let phone = RemoteSession(id: "phone", isCurrent: false)
  let asked = Challenge(kind: .password, handle: Secret("uia-1"))

  private func page() async throws -> AccountModel {
    world.answer(.success(world.session()))
    try await world.manager.login(username: "ada", password: "correct horse")
    account.have(sessions: [phone])
    let model = AccountModel(account, of: .ada, in: world.flows)
    model.load()
    await model.finished()
    return model
  }

  private func question(of model: AccountModel) -> ReauthenticationModel? {
    if case .reauthenticating(_, let proof) = model.state { proof } else { nil }
  }

  @Test func `a session ends with the password in the same request, and a wrong one asks again`() async throws {
    let model = try await page()
    account.answer(.failure(.challengeRequired(asked)), .failure(.invalidCredentials), .success(.done))
    model.change(.end(phone))
    await model.finished()
    let proof = try #require(question(of: model))
    #expect(proof.failure == nil)
    proof.password = "wrong"
    proof.submit()
    #expect(proof.password == "")
    await proof.finished()
    #expect(proof.failure?.error == .invalidCredentials)
    #expect(question(of: model) === proof)
    proof.password = "correct horse"
    account.have()
    proof.submit()
    await proof.finished()
    await model.finished()
    #expect(
      account.asked == [
        "end phone", "end phone, proved to uia-1 by wrong", "end phone, proved to uia-1 by correct horse",
      ])
    #expect(model.overview?.sessions == [])
  }

  @Test func `an account is deleted with the password in the same request`() async throws {
    let model = try await page()
    account.answer(.failure(.challengeRequired(asked)), .success(.done))
    model.change(.deleteAccount)
    model.confirmDeletion()
    await model.finished()
    let proof = try #require(question(of: model))
    proof.password = "correct horse"
    proof.submit()
    await proof.finished()
    #expect(account.asked == ["delete", "delete, proved to uia-1 by correct horse"])
    guard case .deleted = model.state else {
      Issue.record("Not deleted: \(model.state)")
      return
    }
  }

  @Test func `a step that the provider asks again in the same words was answered wrongly`() async throws {
    let model = try await page()
    account.answer(.failure(.challengeRequired(asked)), .failure(.challengeRequired(asked)))
    model.change(.end(phone))
    await model.finished()
    let proof = try #require(question(of: model))
    proof.password = "wrong"
    proof.submit()
    await proof.finished()
    #expect(proof.failure?.error == .invalidCredentials)
  }

  @Test func `a challenge that comes with a refusal replaces the one before`() async throws {
    let model = try await page()
    var refusal = AuthenticationError.invalidCredentials
    refusal.challenge = Challenge(kind: .password, handle: Secret("uia-2"))
    account.answer(.failure(.challengeRequired(asked)), .failure(refusal), .success(.done))
    model.change(.end(phone))
    await model.finished()
    let proof = try #require(question(of: model))
    for password in ["wrong", "correct horse"] {
      proof.password = password
      proof.submit()
      await proof.finished()
    }
    #expect(account.asked.last == "end phone, proved to uia-2 by correct horse")
  }

  @Test func `a second step is asked after the first, and nothing of it is a failure`() async throws {
    let model = try await page()
    account.answer(.failure(.challengeRequired(asked)), .failure(.challengeRequired(.sms("uia-code"))), .success(.done))
    model.change(.enrol(.enrolment))
    await model.finished()
    let proof = try #require(question(of: model))
    proof.password = "correct horse"
    proof.submit()
    await proof.finished()
    #expect(proof.failure == nil)
    proof.code = "123 456"
    proof.submit()
    await proof.finished()
    await model.finished()
    #expect(
      account.asked == [
        "enrol enrolment", "enrol enrolment, proved to uia-1 by correct horse",
        "enrol enrolment, proved to uia-code by 123456",
      ])
  }

  @Test func `a refusal that has nothing to do with the proof ends the question`() async throws {
    let model = try await page()
    account.answer(.failure(.challengeRequired(asked)), .failure(.lastMethod))
    model.change(.remove(EnrolledFactor(id: "1", kind: .passkey)))
    await model.finished()
    let proof = try #require(question(of: model))
    proof.password = "correct horse"
    proof.submit()
    await proof.finished()
    guard case .shown(_, let failure?) = model.state else {
      Issue.record("Not shown: \(model.state)")
      return
    }
    #expect(failure.error == .lastMethod)
  }

  @Test func `a proof that does not reach the provider can be given again`() async throws {
    let model = try await page()
    account.answer(.failure(.challengeRequired(asked)), .failure(.unreachable), .success(.done))
    model.change(.end(phone))
    await model.finished()
    let proof = try #require(question(of: model))
    proof.password = "correct horse"
    proof.submit()
    await proof.finished()
    #expect(proof.failure?.error == .unreachable)
    proof.password = "correct horse"
    proof.submit()
    await proof.finished()
    #expect(account.asked.count == 3)
  }

  @Test func `a proof that the service wants after a sign-in is asked, too`() async throws {
    world.answer(.success(world.session()))
    try await world.manager.login(username: "ada", password: "correct horse")
    let (log, asked) = (Log(), asked)
    let model = ReauthenticationModel(
      .recentSignInRequired, of: .ada, in: world.flows, takesProof: true,
      intent: {
        proof async throws(AuthenticationError) in
        log.append(proof.map { "proved to \($0.challenge.handle.reveal())" } ?? "bare")
        if proof == nil { throw .challengeRequired(asked) }
        return .done
      })
    model.prove(with: .password)
    guard case .proving(.form(let form)) = model.state else {
      Issue.record("Not proving: \(model.state)")
      return
    }
    form[.userName] = "ada"
    form[.password] = "correct horse"
    form.submit()
    await model.finished()
    await model.finished()
    model.password = "correct horse"
    model.submit()
    await model.finished()
    #expect(log.lines == ["bare", "proved to uia-1"])
    guard case .done = model.state else {
      Issue.record("Not done: \(model.state)")
      return
    }
  }
}
