#if os(Linux)
import AuthenticationDomain

/// A separate GLib main context, in which a call into libsecret runs until it ends or reaches its time limit.
///
/// Cancelling such a call only requests its end: a service that ignores the request would block the caller forever.
/// After its limit a call is abandoned, together with the context that waits for its response.
@safe struct MainContext {
  typealias Callback = @convention(c) (Libsecret.Object?, Libsecret.Object?, UnsafeMutableRawPointer?) -> Void

  let library: Libsecret
  private let context: Handle

  init(_ library: Libsecret) {
    self.library = library
    unsafe context = Handle(library.newContext()!) { unsafe library.unrefContext($0) }
  }

  /// Starts an asynchronous call, and finishes it with the response.
  func call<Value>(
    within limit: Duration, late: (AuthenticationError.Cause?) -> AuthenticationError = { .secretServiceLate($0) },
    _ start: (_ cancellable: Libsecret.Object?, _ callback: Callback, _ data: UnsafeMutableRawPointer) -> Void,
    finish: (_ result: Libsecret.Object, _ failure: Libsecret.ErrorSlot) -> Value
  ) throws(AuthenticationError) -> Value {
    unsafe library.pushContext(context.pointer)
    defer {
      // Runs the remaining work of ended calls: otherwise the context, and its descriptor, would never be freed.
      while unsafe library.iterate(context.pointer, 0) != 0 {}
      unsafe library.popContext(context.pointer)
    }
    let cancellable = unsafe library.owned(library.newCancellable()!)
    let answer = Answer(library)
    unsafe start(cancellable.pointer, Answer.callback, Unmanaged.passRetained(answer).toOpaque())
    wait(for: answer, atMost: limit)
    let isLate = answer.result == nil
    if isLate {
      unsafe library.cancel(cancellable.pointer)
      wait(for: answer, atMost: .seconds(1))
    }
    guard let result = answer.result else { throw late(nil) }
    var failure: Libsecret.Object?
    let value = unsafe finish(result.pointer, &failure)
    guard let failure = unsafe failure else { return value }
    let cause = unsafe library.cause(failure)
    throw isLate ? late(cause) : .secretServiceFailed(cause)
  }

  private func wait(for answer: Answer, atMost limit: Duration) {
    let timer = MainContextTimer(limit, in: context, library)
    while answer.result == nil, !timer.hasFired { unsafe _ = library.iterate(context.pointer, 1) }
  }
}

/// Retained by the call it waits for, which releases it when it responds.
private final class Answer {
  private(set) var result: Handle?
  private let library: Libsecret

  init(_ library: Libsecret) { self.library = library }

  static let callback: MainContext.Callback = { _, result, data in
    let answer = unsafe Unmanaged<Answer>.fromOpaque(data!).takeRetainedValue()
    answer.result = unsafe answer.library.owned(answer.library.ref(result!)!)
  }
}
#endif
