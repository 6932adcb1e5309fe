#if os(Linux)
import AuthenticationDomain

/// A GLib main context of its own, in which a call into libsecret runs to its end or to its limit.
///
/// To cancel such a call only asks for its end: a service that does not take its question back would hold the caller for
/// ever. Past its limit a call is left to itself, with the context that waits for its answer.
@safe struct MainContext {
  typealias Callback = @convention(c) (Libsecret.Object?, Libsecret.Object?, UnsafeMutableRawPointer?) -> Void

  let library: Libsecret
  private let context: Handle

  init(_ library: Libsecret) {
    self.library = library
    unsafe context = Handle(library.newContext()!) { unsafe library.unrefContext($0) }
  }

  /// Starts what answers later, and finishes it with the answer.
  func call<Value>(
    within limit: Duration, late: (AuthenticationError.Cause?) -> AuthenticationError = { .secretServiceLate($0) },
    _ start: (_ cancellable: Libsecret.Object?, _ callback: Callback, _ data: UnsafeMutableRawPointer) -> Void,
    finish: (_ result: Libsecret.Object, _ failure: Libsecret.ErrorSlot) -> Value
  ) throws(AuthenticationError) -> Value {
    unsafe library.pushContext(context.pointer)
    defer {
      // What ended calls leave to be done: undone, it would keep the context, and its descriptor, for ever.
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

/// Kept by the call it waits for, which lets go of it when it answers.
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
