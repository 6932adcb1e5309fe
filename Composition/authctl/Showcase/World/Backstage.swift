/// What happens behind the product, as a value: no token, no password, no code but those in the mailbox.
struct Backstage: Sendable, Equatable {
  /// Where the data passes, in order.
  enum Station: String, Sendable, CaseIterable {
    case intent, decorators, provider, store, state

    var name: String {
      switch self {
      case .intent: "Intent"
      case .decorators: "Decorators"
      case .provider: "Provider"
      case .store: "Store"
      case .state: "State"
      }
    }
  }

  /// Something that happened at a station.
  struct Step: Sendable, Equatable {
    let number: Int
    let station: Station
    let title: String
    var detail = ""
  }

  struct SessionCard: Sendable, Equatable {
    let user: String
    /// The first characters of a digest: enough to see that one token follows another.
    let accessToken: String
    let refreshToken: String?
    /// Until the access token expires.
    let secondsLeft: Int?
    let lifetime: Int?
    let freshness: String
    let storage: String
  }

  struct Request: Sendable, Equatable {
    let number: Int
    let method: String
    /// Without the query.
    let path: String
    let status: Int?
    /// How many of it came in a row; nil for one.
    var count: Int?
  }

  /// A code or a link that was sent to the person.
  struct Message: Sendable, Equatable {
    let number: Int
    let address: String
    /// Such as `code` or `link`.
    let type: String
    let code: String?
    let hasLink: Bool
  }

  var number = 0
  /// Since the last intent.
  var trail: [Step] = []
  /// Nil if nobody is signed in.
  var session: SessionCard?
  var requests: [Request] = []
  var mailbox: [Message] = []
  /// Which switches are on; a switch that only does something is not in here.
  var switches: [String: Bool] = [:]
  /// Seconds that the clock is ahead.
  var clockOffset = 0
}
