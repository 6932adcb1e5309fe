import AuthenticationDomain

/// A caller of a manager: it must be answered, unless its process dies.
///
/// `@unchecked Sendable`: confined to its world's thread (``World/add(_:)`` checks that).
final class Call: @unchecked Sendable {
  let name: String
  let process: SimulatedProcess
  var task: Task<Void, Never>?
  private(set) var isAnswered = false

  init(_ name: String, in process: SimulatedProcess) {
    self.name = name
    self.process = process
  }

  fileprivate func answer(_ text: @autoclosure () -> String) {
    isAnswered = true
    task = nil
    if !process.isDead { process.world.note("\(name) is answered: \(text())") }
  }
}

extension World {
  /// Calls a manager from a task of its process.
  func call(
    _ name: String, on client: Client, _ body: @escaping @Sendable (AuthManager) async -> String
  ) {
    guard let manager = client.manager else { return }
    let call = Call("\(name) on \(client.name)", in: client.process)
    note("\(call.name) begins")
    calls.append(call)
    call.task = Task.detached(executorPreference: client.process.executor) {
      let answer = await body(manager)
      call.answer(answer)
    }
  }

  func signIn(_ person: String, on client: Client) {
    let id = calls.count
    call("sign-in \(id) of \(person)", on: client) { [self] manager in
      do throws(AuthenticationError) {
        let user = try await manager.signIn(with: SimulatedCredentials(person: person, call: id))
        if user.id != person { invariants.fail("\(person) signed in as \(user.id)") }
        return "signed in"
      } catch {
        if !client.process.isDead { invariants.signInFailed(id) }
        return error.code.description
      }
    }
  }

  func signOut(on client: Client, revoking: Bool) {
    let family = invariants.family(on: client.id)
    call(revoking ? "sign-out" : "clearing", on: client) { [self] manager in
      invariants.asksToSignOut(client.id)
      var failure: AuthenticationError?
      do throws(AuthenticationError) {
        if revoking { try await manager.signOut() } else { try await manager.clear() }
      } catch {
        failure = error
      }
      if !client.process.isDead { invariants.signedOut(client.id, from: family, threw: failure != nil) }
      return failure?.code.description ?? "signed out"
    }
  }

  /// A request to a resource, which perhaps refuses the token it is given.
  func request(on client: Client, isRefused: Bool, lasting wanted: Duration? = nil) {
    call(isRefused ? "refused request" : "request", on: client) { [self] manager in
      do throws(AuthenticationError) {
        let session = try await manager.validSession(rejecting: nil, lasting: wanted)
        guard isRefused else { return "\(session.set)" }
        let other = try await manager.validSession(rejecting: session.accessToken, lasting: nil)
        if other.accessToken == session.accessToken {
          invariants.fail("\(client.name) gives the refused \(session.set) again")
        }
        return "\(session.set), then \(other.set)"
      } catch {
        return error.code.description
      }
    }
  }
}
