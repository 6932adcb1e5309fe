#if os(Linux)
import AuthenticationDomain
import Synchronization
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// One call: the request, and the caller that waits for it. Created by the caller, processed by the loop's thread.
final class CurlCall: Sendable {
  typealias Answer = Result<HTTPResponse, AuthenticationError>

  private struct State {
    var caller: CheckedContinuation<Answer, Never>?
    var abandonment: AuthenticationError?
    var isOver = false
  }

  let request: HTTPRequest
  let origin: Origin
  let limits: HTTPLimits
  let route: CurlRoute
  /// Whether a task ends it at its deadline, instead of libcurl.
  let usesOwnTimer: Bool
  private let state = Mutex(State())

  init(_ outgoing: OutgoingRequest, _ limits: HTTPLimits, _ route: CurlRoute, usesOwnTimer: Bool) {
    request = outgoing.request
    origin = outgoing.origin
    self.limits = limits
    self.route = route
    self.usesOwnTimer = usesOwnTimer
  }

  /// Whether libcurl may send it again by itself. A proof is valid for one sending (RFC 9449 §11.1).
  var isRepeatable: Bool { request.isIdempotent && request.headers["DPoP"] == nil }

  /// Why the caller no longer waits; nil while it does.
  var abandonment: AuthenticationError? { state.withLock { $0.abandonment } }

  /// Registers the caller; false if the call was already abandoned, which has then been reported to the caller.
  func begin(_ caller: CheckedContinuation<Answer, Never>) -> Bool {
    let abandonment = state.withLock { state in
      if state.abandonment == nil { state.caller = caller } else { state.isOver = true }
      return state.abandonment
    }
    guard let abandonment else { return true }
    caller.resume(returning: .failure(abandonment))
    return false
  }

  /// Abandons the call; returns whether the loop must end it: false if it has not begun, or has already ended.
  func abandon(_ reason: AuthenticationError) -> Bool {
    state.withLock { state in
      guard !state.isOver, state.abandonment == nil else { return false }
      state.abandonment = reason
      return state.caller != nil
    }
  }

  /// Resumes the caller, once.
  func finish(_ answer: Answer) {
    let caller = state.withLock { state in
      state.isOver = true
      return state.caller.take()
    }
    caller?.resume(returning: answer)
  }
}
#endif
