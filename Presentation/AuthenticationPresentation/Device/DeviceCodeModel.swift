public import AuthenticationDomain
public import Observation

/// Signs in by a code that is typed on another device (RFC 8628).
///
/// ```swift
/// let model = DeviceCodeModel(in: flows)
/// model.request()
/// if case .showing(let code, _) = model.state { show(code.userCode, code.address, code.scannedAddress) }
/// ```
@MainActor
@Observable
public final class DeviceCodeModel: StepModel {
  /// Where it stands.
  public enum State: Sendable, Equatable {
    /// Nothing was asked for yet.
    case idle
    /// A code is asked for.
    case requesting(attempt: String)
    /// The code is shown until somebody has used it.
    case showing(DeviceCode, attempt: String)
    /// Somebody said no on the other device.
    case denied
    /// The code is taken no more; a new one is one tap, and never comes by itself.
    case expired
    /// There is no code.
    case failed(FlowFailure)
    /// The provider asks for another step.
    case next(Challenge, attempt: String)
    /// Signed in.
    case done(SignInCompletion)
  }

  public package(set) var state = State.idle {
    didSet { if let stepEnd { onEnd?(stepEnd) } }
  }
  public var words: Words { flows.words }

  @ObservationIgnored var onEnd: (@MainActor (StepEnd) -> Void)?
  @ObservationIgnored let flows: FlowEnvironment
  @ObservationIgnored private let method: SignInMethod
  @ObservationIgnored private let following = AttemptFollowing()
  @ObservationIgnored private let expiry: Alarm

  /// Asks for nothing yet.
  public init(_ method: SignInMethod = .device, in flows: FlowEnvironment) {
    self.method = method
    self.flows = flows
    expiry = Alarm(flows.clock)
  }

  /// Asks for a code, or for a new one. Does nothing while one is asked for or shown.
  public func request(_ input: SignInInput = SignInInput()) {
    switch state {
    case .requesting, .showing, .done: return
    case .idle, .denied, .expired, .failed, .next: break
    }
    do throws(AuthenticationError) {
      let attempt = try flows.attempts.begin(method)
      state = .requesting(attempt: attempt.id)
      attempt.submit(input)
      following.follow(attempt) { [weak self] in self?.show($0, of: attempt) }
    } catch {
      state = .failed(flows.failure(error))
    }
  }

  /// Gives it up; the code is taken no more here.
  public func cancel() { leave(to: .idle) }

  private var stepEnd: StepEnd? {
    switch state {
    case .next: following.attempt.map { .next($0) }
    case .done(let completion): .done(completion)
    default: nil
    }
  }

  public var title: String {
    switch state {
    case .denied: words("device.denied.title")
    case .expired: words("device.expired.title")
    default: words("device.showing.title")
    }
  }

  public var activity: String? {
    if case .requesting = state { words("device.request.working") } else { nil }
  }

  public var failure: FlowFailure? {
    if case .failed(let failure) = state { failure } else { nil }
  }

  /// Seconds until the code is taken no more; nil if that is not known.
  public var secondsLeft: Int? {
    if case .showing(let code, _) = state { code.expiresAt?.secondsLeft(by: flows.clock) } else { nil }
  }

  public var announcement: Announcement? {
    switch state {
    case .showing(let code, _): Announcement(words("device.showing.spoken", .text(code.spelledCode)))
    case .denied, .expired: Announcement(title, .assertive)
    default: activity.map { Announcement($0) }
    }
  }

  public func finished() async { await following.finished() }

  private func leave(to state: State) {
    guard following.cancel() else { return }
    expiry.set(nil) {}
    self.state = state
  }

  private func show(_ attemptState: SignInAttempt.State, of attempt: SignInAttempt) {
    switch attemptState {
    case .externalInteraction(let waiting):
      guard case .requesting = state, let code = DeviceCode(waiting, by: flows.clock) else { return }
      state = .showing(code, attempt: attempt.id)
      expiry.set(code.expiresAt) { [weak self] in self?.leave(to: .expired) }
    case .challenged(let challenge, _): state = .next(challenge, attempt: attempt.id)
    case .failed(let error): fail(error)
    case .ended(.signedIn(let user)):
      state = SignInCompletion(user, of: attempt, by: flows.control).map(State.done) ?? .idle
    case .ended: leave(to: .idle)
    case .collecting, .submitting: break
    }
  }

  private func fail(_ error: AuthenticationError) {
    switch error {
    case .declined: leave(to: .denied)
    case .signInExpired, .codeExpired: leave(to: .expired)
    case _ where error.isSilent: leave(to: .idle)
    default: leave(to: .failed(flows.failure(error)))
    }
  }
}

/// A code that a user types on another device (RFC 8628 §3.3).
public struct DeviceCode: Sendable, Equatable {
  /// The code, as the provider wrote it.
  public let userCode: String
  /// The address to visit.
  public let address: String
  /// The address that includes the code; nil if the provider gave none.
  public let completeAddress: String?
  /// When it is taken no more; nil if that is not known.
  public let expiresAt: Deadline?

  package init?(_ waiting: ExternalInteraction, by clock: any AuthenticationClock) {
    guard let code = waiting.userCode, let address = waiting.address else { return nil }
    userCode = code
    self.address = address
    completeAddress = waiting.completeAddress
    expiresAt = waiting.lifetime.map { Deadline(in: $0, by: clock) }
  }

  /// What a QR code holds, beside which the code and the address stay to be read (RFC 8628 §3.3.1).
  public var scannedAddress: String { completeAddress ?? address }

  /// The code one character after the other, for assistive technology.
  public var spelledCode: String {
    userCode.compactMap { $0.isLetter || $0.isNumber ? String($0) : nil }.joined(separator: " ")
  }

  /// The host of the address in ASCII, so that a look-alike in another alphabet is seen; nil if there is none.
  public var host: String? { ASCIIHost.host(of: address) }
}

/// A host as it goes over the wire: each label that is not ASCII in Punycode (RFC 3492, RFC 5891 §4.4).
enum ASCIIHost {
  /// The host of an address; nil if it has none.
  static func host(of address: String) -> String? {
    let rest = address.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false).last ?? ""
    let authority = rest.prefix { !"/?#\\".contains($0) }
    let host = (authority.split(separator: "@", omittingEmptySubsequences: false).last ?? "").prefix { $0 != ":" }
    guard !host.isEmpty else { return nil }
    return host.lowercased().split(separator: ".", omittingEmptySubsequences: false).map { label in
      label.allSatisfy(\.isASCII) ? String(label) : "xn--" + punycode(Array(label.unicodeScalars.map(\.value)))
    }.joined(separator: ".")
  }

  /// RFC 3492 §6.3.
  private static func punycode(_ input: [UInt32]) -> String {
    let basic = input.filter { $0 < 128 }
    var output = basic.map { Character(UnicodeScalar(UInt8($0))) }
    if !basic.isEmpty { output.append("-") }
    var handled = basic.count
    var next: UInt32 = 128
    var delta = 0
    var bias = 72
    while handled < input.count {
      let smallest = input.filter { $0 >= next }.min() ?? next
      delta += Int(smallest - next) * (handled + 1)
      next = smallest
      for value in input {
        if value < next { delta += 1 }
        guard value == next else { continue }
        output += digits(of: delta, bias: bias)
        bias = adapted(delta, count: handled + 1, isFirst: handled == basic.count)
        delta = 0
        handled += 1
      }
      delta += 1
      next += 1
    }
    return String(output)
  }

  private static func digits(of delta: Int, bias: Int) -> [Character] {
    var digits: [Character] = []
    var rest = delta
    var position = 36
    while true {
      let threshold = min(max(position - bias, 1), 26)
      guard rest >= threshold else { return digits + [digit(rest)] }
      digits.append(digit(threshold + (rest - threshold) % (36 - threshold)))
      rest = (rest - threshold) / (36 - threshold)
      position += 36
    }
  }

  private static func digit(_ value: Int) -> Character {
    Character(UnicodeScalar(UInt8(value < 26 ? 97 + value : 22 + value)))
  }

  /// RFC 3492 §6.1.
  private static func adapted(_ delta: Int, count: Int, isFirst: Bool) -> Int {
    var delta = isFirst ? delta / 700 : delta / 2
    delta += delta / count
    var bias = 0
    while delta > 455 {
      delta /= 35
      bias += 36
    }
    return bias + 36 * delta / (delta + 38)
  }
}
