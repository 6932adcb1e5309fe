import AuthenticationDomain
import Foundation

/// Runs this library's own ``RefreshTiming`` and ``Backoff``. An app asks it for a token every 5 seconds.
struct LibraryClient: FleetClient {
  static let name = "this library"
  private static let askInterval = 5.0

  private let dice: Dice
  private let backoff: Backoff
  private var timing = RefreshTiming()
  private var session: AuthSession?

  init(dice: Dice) {
    self.dice = dice
    backoff = Backoff(random: dice.roll)
  }

  mutating func receive(at time: Double, lifetime: Double) {
    let moment = Moment(time: time)
    let session = AuthSession(moment, lifetime: lifetime)
    timing.follow(session, generation: 0, by: moment, random: dice.roll)
    self.session = session
  }

  mutating func fail(at time: Double, in outage: Outage) {
    guard let session else { return }
    var error = AuthenticationError(outage.isReached ? .serverFailed : .unreachable, "An outage.")
    error.retryAfter = outage.retryAfter.map { .seconds($0) }
    timing.noteFailure(error, of: session.accessToken, at: Moment(time: time).uptime, backoff: backoff)
  }

  func nextTry(after time: Double) -> Double {
    let due = timing.refreshEarlyAt(canRefresh: true) ?? timing.refreshAt(canRefresh: true) ?? .zero
    var ask = max(time, Moment.time(of: due)) + dice.roll() * Self.askInterval
    while timing.heldOffError(at: Moment(time: ask).uptime) != nil { ask += Self.askInterval }
    return ask
  }
}

extension AuthSession {
  fileprivate init(_ moment: Moment, lifetime: Double) {
    do {
      let access = try AccessToken(Secret("access"), receivedAt: moment.now, lifetime: .seconds(lifetime))
      let tokens = SessionTokens(access: access, refresh: Secret("refresh"))
      self.init(user: User(id: "user"), tokens: tokens)
    } catch {
      preconditionFailure("The model's tokens are well formed: \(error)")
    }
  }
}
