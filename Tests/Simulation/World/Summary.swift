public import AuthenticationDomain

/// The events of one world, or of many.
public struct Summary: Sendable {
  public var seeds = 0
  public var intents = 0
  public var refreshes = 0
  public var kills = 0
  public var stops = 0
  /// Managers that drained before their process exited.
  public var drains = 0
  public var lostAnswers = 0
  /// Writes that were done, and whose writer heard that they were not.
  public var deniedWrites = 0
  public var lostWatches = 0
  public var lostLocks = 0
  public var challenges = 0
  public var serverDates = 0
  public var attempts = 0
  /// Attempts that were cancelled or replaced.
  public var attemptsGivenUp = 0
  /// Steps with which a process went on that found them pending.
  public var stepsResumed = 0
  /// Access tokens that came for further resources.
  public var resourceTokens = 0
  public var signOuts: [SignOutReason: Int] = [:]
  public var steps = 0

  public init() {}

  public static func += (sum: inout Self, part: Self) {
    sum.seeds += part.seeds
    sum.intents += part.intents
    sum.refreshes += part.refreshes
    sum.kills += part.kills
    sum.stops += part.stops
    sum.drains += part.drains
    sum.lostAnswers += part.lostAnswers
    sum.deniedWrites += part.deniedWrites
    sum.lostWatches += part.lostWatches
    sum.lostLocks += part.lostLocks
    sum.challenges += part.challenges
    sum.serverDates += part.serverDates
    sum.attempts += part.attempts
    sum.attemptsGivenUp += part.attemptsGivenUp
    sum.stepsResumed += part.stepsResumed
    sum.resourceTokens += part.resourceTokens
    sum.steps += part.steps
    sum.signOuts.merge(part.signOuts, uniquingKeysWith: +)
  }
}
