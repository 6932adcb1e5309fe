/// How the callers of a storm come.
enum Shape: String, CaseIterable, Sendable {
  case simultaneous
  /// Half of them come when the first is answered, while the others still are.
  case staggered = "staggered past the end"
  /// They hold a token that looks valid and is refused with 401.
  case refused = "driven by 401s"
  /// The first caller is cancelled while everybody waits for its refresh.
  case leaderCancelled = "leader cancelled"
}
