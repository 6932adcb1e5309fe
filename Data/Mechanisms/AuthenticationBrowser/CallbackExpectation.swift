import AuthenticationDomain
import Foundation
import Synchronization

#if os(macOS) || os(Linux)
import AuthenticationData

/// Decides about the head of one request to a ``CallbackListener``; a pure function.
struct CallbackExpectation: Sendable {
  var host = "127.0.0.1"
  let port: UInt16
  /// Empty if the browser returns to the root.
  let path: String
  /// The value that only the response to this attempt contains (RFC 6749 §4.1.2); empty for a page that returns none.
  let state: String

  /// The longest head of a request, in bytes.
  static let longestHead = 64 << 10

  enum Verdict: Equatable, Redacted {
    /// The redirect, as a URL, and the page to show; it ends the listening.
    case callback(URL, CallbackPage)
    /// The redirect, but longer than the limit; it also ends the listening, because no other will come.
    case overlong
    /// A redirect of a browser to this address that is not the response to this attempt, and why; it has no effect.
    case ignored(CallbackPage, AuthenticationError)
    /// Any other request, which has no effect.
    case refused(CallbackPage)
  }

  /// Accepts a `GET` of the path with the attempt's `state`, at exactly this host and port: a page of another site
  /// whose own name resolves to 127.0.0.1 uses another host (DNS rebinding). Requests for a page's resources are
  /// refused; only navigations are accepted (Fetch Metadata).
  func verdict(on head: String) -> Verdict {
    var lines = head.split(separator: "\r\n", omittingEmptySubsequences: false)
    let request = lines.removeFirst().split(separator: " ", omittingEmptySubsequences: false)
    guard request.count == 3, request[2].hasPrefix("HTTP/1."), request[1].hasPrefix("/"),
      request[1].utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") })
    else { return .refused(.malformed) }
    guard Self.values(of: "Host", in: lines).elementsEqual(["\(host):\(port)"]) else { return .refused(.otherHost) }
    guard request[1].prefix(while: { $0 != "?" }) == target else { return .refused(.notFound) }
    guard request[0] == "GET" else { return .refused(.otherMethod) }
    guard Self.isNavigation(lines) else { return .refused(.embedded) }
    let rest = request[1].dropFirst(target.count)
    guard let url = URL(string: "http://\(host):\(port)\(path)\(rest)") else { return .refused(.malformed) }
    let query = FormBody(decoding: rest.utf8.dropFirst())
    let error = query?.values(of: "error").first
    if state.isEmpty || names(state, query) { return .callback(url, .telling(error)) }
    let hasState = query?.values(of: "state").contains { !$0.isEmpty } == true
    if let error, !hasState { return .ignored(.errorWithoutState, .errorWithoutState(naming: error)) }
    return .ignored(.otherAttempt, hasState ? .redirectOfOtherAttempt : .redirectWithoutState)
  }

  /// The target of a browser's request.
  private var target: String { path.isEmpty ? "/" : path }

  private func names(_ state: String, _ query: FormBody?) -> Bool {
    query?.values(of: "state").hasSame(as: state) == true
  }

  /// Also true if the browser does not send the field.
  private static func isNavigation(_ lines: [Substring]) -> Bool {
    values(of: "Sec-Fetch-Dest", in: lines).allSatisfy { $0 == "document" }
      && values(of: "Sec-Fetch-Mode", in: lines).allSatisfy { $0 == "navigate" }
  }

  /// Decides about a head that is too long, from the part that was read: the redirect is recognized by its
  /// method, its path, its `state` and, if that part was read, its host.
  ///
  /// - Parameter isWhole: whether the head was read to its end.
  func verdict(onTooLong head: String, isWhole: Bool) -> Verdict {
    guard head.hasPrefix("GET \(target)?") else { return .refused(.tooLong) }
    let asked = head.utf8.dropFirst("GET ".utf8.count).prefix { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\r") }
    // The last parameter may have been cut off.
    let pieces = asked.dropFirst(target.utf8.count + 1).split(separator: UInt8(ascii: "&")).dropLast()
    guard names(state, FormBody(decoding: Array(pieces.joined(separator: [UInt8(ascii: "&")])))) else {
      return .refused(.tooLong)
    }
    var lines = head.split(separator: "\r\n", omittingEmptySubsequences: false).dropFirst()
    // The last line may have been cut off.
    if !isWhole { _ = lines.popLast() }
    let hosts = Self.values(of: "Host", in: Array(lines))
    let isOurs = hosts.elementsEqual(["\(host):\(port)"]) || (hosts.isEmpty && !isWhole)
    return isOurs ? .overlong : .refused(.tooLong)
  }

  private static func values(of name: String, in lines: [Substring]) -> [Substring] {
    lines.compactMap { line in
      guard let colon = line.firstIndex(of: ":"), String(line[..<colon]).equalsIgnoringCase(name) else { return nil }
      return line[line.index(after: colon)...].trimmingSpaces
    }
  }
}

extension AuthenticationError {
  fileprivate static let redirectWithoutState = refused(
    by: .stateMissing, "The browser came back without the 'state' that was sent, so that its response was ignored.",
    suggestion:
      "If this is the sign-in that is open, the provider left it out (RFC 6749 §4.1.2): tell it. Else go on in the browser."
  )
  fileprivate static let redirectOfOtherAttempt = refused(
    by: .state,
    "The browser came back with the response to another sign-in, which was ignored: an old page, or one of another window.",
    suggestion: "Go on with the page that this sign-in opened, or begin again.")
}

extension FormBody {
  fileprivate func values(of name: String) -> [String] { fields.filter { $0.name.isSame(as: name) }.map(\.value) }
}

extension Substring {
  fileprivate var trimmingSpaces: Substring {
    var rest = drop { $0 == " " || $0 == "\t" }
    while rest.last == " " || rest.last == "\t" { rest.removeLast() }
    return rest
  }
}
#endif

/// A result that one caller waits for and takes once: the first one counts, whenever it arrives; cancelling the caller
/// is also a result. May be called from any thread.
final class OneShotCallback: Sendable {
  typealias Outcome = Result<URL, AuthenticationError>

  private let isDone = Mutex(false)
  private let outcomes: AsyncStream<Outcome>
  private let outcome: AsyncStream<Outcome>.Continuation

  init() { (outcomes, outcome) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(1)) }

  var isComplete: Bool { isDone.withLock { $0 } }

  /// Returns false if there was already a result.
  @discardableResult
  func complete(_ result: Outcome) -> Bool {
    let isFirst = isDone.withLock { isDone in
      defer { isDone = true }
      return !isDone
    }
    guard isFirst else { return false }
    outcome.yield(result)
    outcome.finish()
    return true
  }

  /// Waits for the result. Throws it if it is an error, and ``AuthenticationError/cancelled`` as soon as the task
  /// is cancelled. Only one caller may wait.
  func value() async throws(AuthenticationError) -> URL { try await outcome().get() }

  /// The same as a value.
  func outcome() async -> Outcome {
    if let outcome = await outcomes.first(where: { _ in true }) { return outcome }
    complete(.failure(.cancelled))
    return .failure(.cancelled)
  }
}
