import AuthenticationDomain

/// The extras of a world, drawn from a separate stream: without it a seed makes the world it made before there were any
/// extras.
struct Extras {
  /// A process that is stopped loses the lock, as an app does that is suspended.
  var suspensionTakesLocks = false
  /// How many of the processes may exit at any time, and refresh nothing in the background.
  var commandPercent = 0
  /// How many of the sign-ins are asked for a second step.
  var challengePercent = 0
  /// How many of the intents belong to the extras: a code that is typed, a new account.
  var intentPercent = 0
  /// How many of the answers come although their callers have given up.
  var lateAnswerPercent = 0
  /// Whether tokens and answers tell the provider's time; how far it is from this machine's.
  var providerSkew: Duration?
  /// Whether the provider can take back tokens and leave the user's other sessions alone.
  var revokesOneSession = false
  /// How many of the intents are a user's on a screen that signs in; then sign-ins go through an app's root.
  var attemptPercent = 0
  /// The resources with a separate access token.
  var resources: [ProtectedResource] = []
  /// How many of the intents change the signed-in user.
  var userChangePercent = 0
  /// How many of the intents are requests to one of them.
  var resourcePercent = 0
  /// How many of the processes that are to end drain before.
  var drainPercent = 0

  /// None of it.
  init() {}

  init(from chance: inout SplitMix, attempts: inout SplitMix, resources drawn: inout SplitMix) {
    resources = (0..<drawn.pick([0, 0, 1, 2, 3])).map { .resource("r\($0)") }
    userChangePercent = drawn.pick([0, 5, 10])
    resourcePercent = resources.isEmpty ? 0 : drawn.pick([20, 50])
    attemptPercent = attempts.pick([0, 0, 0, 30, 70])
    suspensionTakesLocks = chance.chance(40)
    commandPercent = chance.pick([0, 0, 50, 100])
    challengePercent = chance.pick([0, 0, 30])
    intentPercent = 12
    drainPercent = 40
    lateAnswerPercent = chance.pick([0, 50])
    providerSkew = chance.pick([nil, .zero, .seconds(40), .seconds(-3_600)])
    revokesOneSession = suspensionTakesLocks || chance.chance(50)
  }
}
