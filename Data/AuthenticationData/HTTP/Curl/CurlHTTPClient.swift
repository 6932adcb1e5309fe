#if os(Linux)
import AuthenticationDomain
import CurlInterface
import Foundation
import Synchronization

/// Sends requests with libcurl, with its defaults turned off.
///
/// A request that is not ``HTTPRequest/isIdempotent`` uses a separate connection: on a reused one that the server has
/// just closed it would be sent twice. All clients with the system's trust share their connections, which one thread
/// serves; the thread ends with the last client.
final class CurlHTTPClient: HTTPClient {
  private let library: @Sendable () -> Libcurl?
  private let limits: HTTPLimits
  private let environment: NetworkEnvironment
  private let clock: any AuthenticationClock
  /// With a custom trust; nil with the system's, for which libcurl is not loaded before the first request.
  private let ownRoute: CurlRoute?
  private let loop = Mutex<CurlLoop?>(nil)

  /// Creates a client; no connection is opened yet, and libcurl is loaded only if it must support a trust.
  init(
    _ library: @escaping @Sendable () -> Libcurl?, limits: HTTPLimits, trust: ServerTrust,
    environment: NetworkEnvironment, clock: any AuthenticationClock
  ) throws(AuthenticationError) {
    try trust.validated()
    self.library = library
    self.limits = limits
    self.environment = environment
    self.clock = clock
    ownRoute = trust == .system ? nil : try CurlRoute(trust: trust, environment: environment, library())
  }

  func send(_ request: HTTPRequest) async throws(AuthenticationError) -> HTTPResponse {
    let origin = try request.checkedOrigin()
    // Outside the lock: loading libcurl takes some milliseconds.
    let route =
      if let ownRoute { ownRoute } else { try CurlRoute(trust: .system, environment: environment, library()) }
    let loop = try loop(for: route)
    let call = CurlCall(request, to: origin, limits, route, usesOwnTimer: !(clock is SystemClock))
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

  private func loop(for route: CurlRoute) throws(AuthenticationError) -> CurlLoop {
    let loop = loop.withLock { loop in
      if loop == nil { loop = route.isShared ? .shared(route.library) : CurlLoop(route.library) }
      return loop
    }
    guard let loop else { throw .outOfResources() }
    return loop
  }
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

  init(_ request: HTTPRequest, to origin: Origin, _ limits: HTTPLimits, _ route: CurlRoute, usesOwnTimer: Bool) {
    self.request = request
    self.origin = origin
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

/// The work of a loop's thread, and the calls that callers pass to it. Only the caller that finds no news wakes the
/// thread.
@safe private final class CurlWorker: @unchecked Sendable {
  struct News {
    var arrivals: [CurlCall] = []
    var abandoned: [CurlCall] = []
    var isClosed = false

    var isEmpty: Bool { arrivals.isEmpty && abandoned.isEmpty && !isClosed }
  }

  private let library: Libcurl
  /// Used only by the thread, except for waking, which any thread may do until the worker is closed; after that the
  /// thread frees it.
  private let multi: Libcurl.Handle
  private let news = Mutex(News())
  /// Of the thread alone, as every handle in them is.
  private var transfers: [ObjectIdentifier: CurlTransfer] = [:]

  init?(_ library: Libcurl) {
    guard let multi = unsafe curl_interface_multi(library.functions) else { return nil }
    unsafe self.multi = multi
    self.library = library
  }

  /// Nothing may be added after this. Wakes under the lock, since the thread frees the object that is woken.
  func close() {
    news.withLock { news in
      news.isClosed = true
      wake()
    }
  }

  func put(_ change: (inout News) -> Void) {
    let wasEmpty = news.withLock { news in
      defer { change(&news) }
      return news.isEmpty
    }
    if wasEmpty { wake() }
  }

  /// Whether waking works: libcurl may have had no descriptors left for it.
  @discardableResult
  private func wake() -> Bool { unsafe curl_interface_wake(library.functions, multi) == 0 }

  func run() {
    // A write to a connection that was closed must not end the process, and an app's handlers are not run here.
    var all = sigset_t()
    unsafe sigfillset(&all)
    unsafe pthread_sigmask(SIG_BLOCK, &all, nil)
    let pollTimeout: CInt = wake() ? 60_000 : 10
    while work() { _ = unsafe curl_interface_poll(library.functions, multi, pollTimeout) }
  }

  /// False once the worker was closed: then nothing is left.
  private func work() -> Bool {
    curl_interface_begin_work()
    defer { curl_interface_end_work() }
    let taken = news.withLock { news in
      defer { news = News(isClosed: news.isClosed) }
      return news
    }
    for call in taken.arrivals { begin(call) }
    for call in taken.abandoned { abandon(call) }
    if taken.isClosed {
      for transfer in transfers.values {
        let origin = transfer.call.origin
        end(transfer, .failure(transfer.isSent ? .connectionLost(origin) : .unreachable(origin)))
      }
      unsafe curl_interface_free_multi(library.functions, multi)
      return false
    }
    _ = unsafe curl_interface_perform(library.functions, multi)
    collect()
    return true
  }

  /// Each transfer has a separate handle: libcurl 7.88 reads freed memory if a handle is used again and the first
  /// line of a response's head is a continuation line. Connections are the multi handle's, and are kept.
  private func begin(_ call: CurlCall) {
    if let abandonment = call.abandonment {
      return call.finish(.failure(abandonment.reclassified(wasSent: false, of: call)))
    }
    guard let handle = CurlHandle(library) else { return call.finish(.failure(.outOfResources())) }
    let transfer = CurlTransfer(call, handle)
    guard transfer.prepare(), unsafe curl_interface_add(library.functions, multi, handle.pointer) == 0 else {
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
    while let easy = unsafe curl_interface_ended(library.functions, multi, &code) {
      guard let owner = unsafe curl_interface_text(library.functions, easy, curl_info_owner) else { continue }
      let transfer = unsafe Unmanaged<CurlTransfer>.fromOpaque(owner).takeUnretainedValue()
      end(transfer, transfer.outcome(code))
    }
  }

  /// The caller continues before libcurl is done: ending a transfer may wait for a name to be resolved.
  private func end(_ transfer: CurlTransfer, _ outcome: CurlCall.Outcome) {
    transfer.call.finish(outcome)
    _ = unsafe curl_interface_remove(library.functions, multi, transfer.handle.pointer)
    transfers[ObjectIdentifier(transfer.call)] = nil
  }
}

extension AuthenticationError {
  /// A deadline that passes before anything was sent is unambiguous: the server has seen nothing.
  fileprivate func reclassified(wasSent: Bool, of call: CurlCall) -> Self {
    self == .timedOut && !wasSent ? .unreachable(call.origin) : self
  }
}

/// One thread with libcurl's multi interface: runs every transfer it is given, keeps the connections, and ends with
/// this object.
private final class CurlLoop: Sendable {
  private struct Reference {
    weak var loop: CurlLoop?
  }

  private static let current = Mutex(Reference())
  private let worker: CurlWorker

  /// The loop that all clients with the system's trust share; created again after the last of them was released.
  static func shared(_ library: Libcurl) -> CurlLoop? {
    current.withLock { reference in
      let loop = reference.loop ?? CurlLoop(library)
      reference.loop = loop
      return loop
    }
  }

  /// Nil if there is no memory for it.
  init?(_ library: Libcurl) {
    guard let worker = CurlWorker(library) else { return nil }
    self.worker = worker
    let thread = Thread { worker.run() }
    thread.name = "AuthenticationKit.HTTP"
    thread.stackSize = 512 * 1_024
    thread.start()
  }

  deinit { worker.close() }

  func start(_ call: CurlCall, _ caller: CheckedContinuation<CurlCall.Outcome, Never>) {
    if call.begin(caller) { worker.put { $0.arrivals.append(call) } }
  }

  func abandon(_ call: CurlCall, _ reason: AuthenticationError) {
    if call.abandon(reason) { worker.put { $0.abandoned.append(call) } }
  }
}
#endif
