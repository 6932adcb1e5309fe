/// The outage of the fleet: for a while the provider refuses every refresh. Times in seconds.
package struct Outage: Sendable {
  let name: String
  /// How long a token lives.
  var lifetime = 3_600.0
  var length = 600.0
  /// The provider's response meanwhile; nil where it sends none.
  var retryAfter: Double?
  /// Whether requests reach the provider, which fails; otherwise no connection can be made.
  var isReached = true

  /// Two lifetimes of quiet go before it; the second is the measure of the load.
  var start: Double { 2 * lifetime }
  var end: Double { start + length }
  /// Long enough for clients that came back together to meet again when their new tokens end.
  var horizon: Double { end + 2 * lifetime }

  package static let tenMinutes = Outage(name: "10 minutes")
  package static let thirtyMinutes = Outage(name: "30 minutes", length: 1_800)
  /// Ten minutes, however the provider fails.
  package static let ofTenMinutes =
    [tenMinutes, Outage(name: "10 minutes, not reached", isReached: false)]
    + [1, 10].map { Outage(name: "10 minutes, Retry-After: \(Int($0))", retryAfter: $0) }

  static let all =
    ofTenMinutes + [
      Outage(name: "10 minutes, Retry-After: 30", retryAfter: 30),
      Outage(name: "10 minutes, tokens of 5 minutes", lifetime: 300),
      Outage(name: "1 minute", length: 60),
      Outage(name: "15 minutes", length: 900),
      thirtyMinutes,
    ]
}
