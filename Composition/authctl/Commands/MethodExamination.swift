import AuthenticationKit
import AuthenticationOpenID

/// Which methods a provider allows this client. It is asked by a sign-in that nobody makes: with a password that is
/// nobody's, or with a code for another device, which is given up. What would send a message or make an account is not
/// asked.
struct MethodExamination {
  /// Those that led on: to a session, a second step or a code for another device.
  private(set) var begun: [SignInMethod] = []
  /// Those by which the made-up user was refused, as a wrong password is: perhaps before anything else was looked at.
  private(set) var answered: [SignInMethod] = []
  private(set) var refused: [(method: SignInMethod, error: AuthenticationError)] = []
  private(set) var unasked: [SignInMethod] = []
  /// Why the rest could not be asked.
  private(set) var failure: AuthenticationError?

  /// Those that are not refused as such.
  var allowed: [SignInMethod] { begun + answered }

  /// Whether it is no single method that is refused.
  var refusesClient: Bool {
    allowed.isEmpty && failure == nil
      && refused.allSatisfy { [.clientRejected, .endpointMissing].contains($0.error.code) }
  }

  static func examine(_ root: MainRoot) async -> Self {
    var examination = Self()
    for method in root.methods {
      guard examination.failure == nil, method.canBeAsked else {
        examination.unasked.append(method)
        continue
      }
      await examination.ask(method, root)
    }
    return examination
  }

  private mutating func ask(_ method: SignInMethod, _ root: MainRoot) async {
    let name = "authctl-doctor@example.invalid"
    guard let attempt = try? root.attempts.begin(method) else { return unasked.append(method) }
    attempt.submit(SignInInput([.userName: name, .emailAddress: name, .password: "authctl-doctor"]))
    var answer: AuthenticationError?
    for await state in attempt.states() where state != .collecting && state != .submitting {
      answer = state.failure
      break
    }
    attempt.cancel()
    _ = await attempt.settled()
    // Some servers for tests let anybody in.
    try? await root.manager.signOut()
    guard let answer else { return begun.append(method) }
    if answer.isAboutPerson {
      answered.append(method)
    } else if [.unsupportedMethod, .clientRejected, .invalidRequest, .endpointMissing].contains(answer.code) {
      refused.append((method, answer))
    } else {
      failure = answer
      unasked.append(method)
    }
  }

  /// A refusal is no problem as long as there may be another way to sign in.
  func add(to examination: inout Examination) {
    for (method, error) in refused {
      let told = AuthenticationError(error.code, "'\(method.id)' is refused: \(error.told)")
      examination.add(
        "methods", told, advice: error.suggestion,
        level: allowed.isEmpty && unasked.isEmpty ? .problem : .warning)
    }
    if let failure { examination.add("answer", failure) }
    let parts = [
      begun.isEmpty ? nil : "A user can sign in by \(Self.list(begun)).",
      answered.isEmpty ? nil : "A made-up user was refused by \(Self.list(answered)); no real one was tried.",
      unasked.isEmpty ? nil : "Not asked for: \(Self.list(unasked)).",
    ].compactMap(\.self)
    if !parts.isEmpty { examination.add("methods", parts.joined(separator: " ")) }
  }

  private static func list(_ methods: [SignInMethod]) -> String { methods.map(\.id).joined(separator: ", ") }
}

extension AuthenticationError {
  /// Whether it is this person who is refused, and another one might be let in.
  fileprivate var isAboutPerson: Bool {
    switch code.disposition {
    case .attempt, .endsSession: true
    case .transient, .other: code == .insufficientUserAuthentication || code == .challengeRequired
    }
  }
}

extension SignInMethod {
  fileprivate var canBeAsked: Bool {
    let typed: Set<Need> = [.userName, .emailAddress, .password]
    return needs.contains(.anotherDevice) || needs.contains(.password) && typed.isSuperset(of: needs)
  }
}
