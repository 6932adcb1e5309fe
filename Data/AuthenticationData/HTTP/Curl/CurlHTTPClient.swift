#if os(Linux)
import AuthenticationDomain
import Synchronization
import Foundation

/// Sends requests with libcurl, with its defaults turned off.
///
/// A request that is not ``HTTPRequest/isIdempotent`` uses a connection of its own: on a reused one that the server has
/// just closed it would be sent twice. All clients with the system's trust share their connections, which one thread
/// serves; the thread ends with the last client.
final class CurlHTTPClient: HTTPClient {
  private struct State {
    var route: CurlRoute?
    var loop: CurlLoop?
  }

  private let library: @Sendable () -> Libcurl?
  private let limits: HTTPLimits
  private let trust: ServerTrust
  private let environment: NetworkEnvironment
  private let clock: any AuthenticationClock
  private let state = Mutex(State())

  /// Creates a client; no connection is opened yet, and libcurl is loaded only if it must support a trust.
  init(
    _ library: @escaping @Sendable () -> Libcurl?, limits: HTTPLimits, trust: ServerTrust,
    environment: NetworkEnvironment, clock: any AuthenticationClock
  ) throws(AuthenticationError) {
    try trust.validated()
    self.library = library
    self.limits = limits
    self.trust = trust
    self.environment = environment
    self.clock = clock
    if trust != .system { _ = try state.withLock { state throws(AuthenticationError) in try route(&state) } }
  }

  func send(_ request: HTTPRequest) async throws(AuthenticationError) -> HTTPResponse {
    let outgoing = try OutgoingRequest(request)
    let (route, loop) = try connection()
    let call = CurlCall(outgoing, limits, route, usesOwnTimer: !(clock is SystemClock))
    let timer = call.usesOwnTimer ? timer(for: call, loop) : nil
    defer { timer?.cancel() }
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { loop.start(call, $0) }
    } onCancel: {
      loop.abandon(call, .cancelled)
    }
    return try result.get()
  }

  private func timer(for call: CurlCall, _ loop: CurlLoop) -> Task<Void, Never> {
    Task.detached { [clock, limits] in
      guard (try? await clock.sleep(for: limits.deadline)) != nil else { return }
      loop.abandon(call, .timedOut(call.origin))
    }
  }

  private func connection() throws(AuthenticationError) -> (CurlRoute, CurlLoop) {
    try state.withLock { state throws(AuthenticationError) in
      let route = try route(&state)
      if state.loop == nil { state.loop = route.isShared ? .shared(route.library) : CurlLoop(route.library) }
      guard let loop = state.loop else { throw .outOfResources() }
      return (route, loop)
    }
  }

  /// Loads libcurl, which takes longer than all else of a command that sends nothing.
  private func route(_ state: inout State) throws(AuthenticationError) -> CurlRoute {
    if let route = state.route { return route }
    guard let library = library() else { throw .libcurlMissing }
    let route = try CurlRoute(trust: trust, environment: environment, library)
    state.route = route
    return route
  }
}

extension AuthenticationError {
  fileprivate static let libcurlMissing = Self(
    .invalidConfiguration, "There is no libcurl 7.68 or later with TLS here, which sends all requests on Linux.",
    suggestion: "Install it (Debian: libcurl4, Fedora: libcurl), and link the executable dynamically.")
}

/// One call: the request, and the caller that waits for it. Created by the caller, processed by the loop's thread.
final class CurlCall: Sendable {
  typealias Outcome = Result<HTTPResponse, AuthenticationError>

  private struct State {
    var caller: CheckedContinuation<Outcome, Never>?
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
  func begin(_ caller: CheckedContinuation<Outcome, Never>) -> Bool {
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
  func finish(_ outcome: Outcome) {
    let caller = state.withLock { state in
      state.isOver = true
      return state.caller.take()
    }
    caller?.resume(returning: outcome)
  }
}

import CurlInterface

/// What a loop's thread does: every handle of libcurl is used here only.
@safe final class CurlDriver {
  private let inbox: CurlInbox
  private let library: Libcurl
  private var transfers: [ObjectIdentifier: CurlTransfer] = [:]

  init(_ inbox: CurlInbox, _ library: Libcurl) {
    self.inbox = inbox
    self.library = library
  }

  func run() {
    blockSignals()
    let pollTimeout: CInt = inbox.wake() ? 60_000 : 10
    while work() { _ = unsafe curl_interface_poll(library.functions, inbox.multi, pollTimeout) }
  }

  /// False where the inbox was closed: then nothing is left.
  private func work() -> Bool {
    curl_interface_begin_work()
    defer { curl_interface_end_work() }
    let news = inbox.takeAll()
    for call in news.arrivals { begin(call) }
    for call in news.abandoned { abandon(call) }
    if news.isClosed {
      for transfer in transfers.values { end(transfer, .failure(transfer.closed)) }
      unsafe curl_interface_free_multi(library.functions, inbox.multi)
      return false
    }
    _ = unsafe curl_interface_perform(library.functions, inbox.multi)
    collect()
    return true
  }

  /// A write to a connection that was closed must not end the process, and an app's handlers are not run here.
  private func blockSignals() {
    var all = sigset_t()
    unsafe sigfillset(&all)
    unsafe pthread_sigmask(SIG_BLOCK, &all, nil)
  }

  /// Each transfer has a handle of its own: libcurl 7.88 reads freed memory if a handle is used again and the first line of
  /// a response's head is a continuation line. Connections are the multi handle's, and are kept.
  private func begin(_ call: CurlCall) {
    if let abandonment = call.abandonment {
      return call.finish(.failure(abandonment.reclassified(wasSent: false, of: call)))
    }
    guard let handle = CurlHandle(library) else { return call.finish(.failure(.outOfResources())) }
    let transfer = CurlTransfer(call, handle)
    guard transfer.prepare(), unsafe curl_interface_add(library.functions, inbox.multi, handle.pointer) == 0 else {
      return call.finish(.failure(.outOfResources()))
    }
    transfers[ObjectIdentifier(call)] = transfer
  }

  private func abandon(_ call: CurlCall) {
    guard let transfer = transfers[ObjectIdentifier(call)], let reason = call.abandonment else { return }
    end(transfer, .failure(reason.reclassified(wasSent: transfer.isSent, of: call)))
  }

  private func collect() {
    var code: CInt = 0
    while let easy = unsafe curl_interface_ended(library.functions, inbox.multi, &code) {
      guard let owner = unsafe curl_interface_text(library.functions, easy, CurlOption.ownerInfo) else { continue }
      let transfer = unsafe Unmanaged<CurlTransfer>.fromOpaque(owner).takeUnretainedValue()
      end(transfer, transfer.outcome(code))
    }
  }

  /// The caller goes on before libcurl is done: ending a transfer may wait for a name to be resolved.
  private func end(_ transfer: CurlTransfer, _ outcome: CurlCall.Outcome) {
    transfer.call.finish(outcome)
    _ = unsafe curl_interface_remove(library.functions, inbox.multi, transfer.handle.pointer)
    transfers[ObjectIdentifier(transfer.call)] = nil
  }
}

extension AuthenticationError {
  /// A deadline that passes before anything was sent leaves no doubt about what the server has seen.
  fileprivate func reclassified(wasSent: Bool, of call: CurlCall) -> Self {
    self == .timedOut && !wasSent ? .unreachable(call.origin) : self
  }
}

/// The calls that callers pass to a loop's thread. Only the caller that finds the inbox empty wakes the thread.
@safe final class CurlInbox: @unchecked Sendable {
  struct Contents {
    var arrivals: [CurlCall] = []
    var abandoned: [CurlCall] = []
    var isClosed = false

    var isEmpty: Bool { arrivals.isEmpty && abandoned.isEmpty && !isClosed }
  }

  /// Used only by the thread, except for waking, which any thread may do until the inbox is closed; after that the
  /// thread frees it.
  let multi: Libcurl.Handle
  private let library: Libcurl
  private let contents = Mutex(Contents())

  init?(_ library: Libcurl) {
    guard let multi = unsafe curl_interface_multi(library.functions) else { return nil }
    unsafe self.multi = multi
    self.library = library
  }

  /// Nothing may be added after this. Wakes under the lock, since the thread frees the object that is woken.
  func close() {
    contents.withLock { contents in
      contents.isClosed = true
      wake()
    }
  }

  /// Returns everything that was added since the last call.
  func takeAll() -> Contents {
    contents.withLock { contents in
      let taken = contents
      if !taken.isEmpty { contents = Contents(isClosed: taken.isClosed) }
      return taken
    }
  }

  /// Whether waking works: libcurl may have had no descriptors left for it.
  @discardableResult
  func wake() -> Bool { unsafe curl_interface_wake(library.functions, multi) == 0 }

  func put(_ change: (inout Contents) -> Void) {
    let wasEmpty = contents.withLock { contents in
      defer { change(&contents) }
      return contents.isEmpty
    }
    if wasEmpty { wake() }
  }
}

/// One thread with libcurl's multi interface: runs every transfer it is given, keeps the connections, and ends with
/// this object.
@safe final class CurlLoop: Sendable {
  private let inbox: CurlInbox

  /// Nil if there is no memory for it.
  init?(_ library: Libcurl) {
    guard let inbox = CurlInbox(library) else { return nil }
    self.inbox = inbox
    let thread = Thread { CurlDriver(inbox, library).run() }
    thread.name = "AuthenticationKit.HTTP"
    thread.stackSize = 512 * 1_024
    thread.start()
  }

  deinit { inbox.close() }

  func start(_ call: CurlCall, _ caller: CheckedContinuation<CurlCall.Outcome, Never>) {
    if call.begin(caller) { inbox.put { $0.arrivals.append(call) } }
  }

  func abandon(_ call: CurlCall, _ reason: AuthenticationError) {
    if call.abandon(reason) { inbox.put { $0.abandoned.append(call) } }
  }
}

extension CurlLoop {
  private struct Reference {
    weak var loop: CurlLoop?
  }

  private static let current = Mutex(Reference())

  /// The loop that all clients with the system's trust share; created again after the last of them was released.
  static func shared(_ library: Libcurl) -> CurlLoop? {
    current.withLock { reference in
      if let loop = reference.loop { return loop }
      let loop = CurlLoop(library)
      reference.loop = loop
      return loop
    }
  }
}
#endif
