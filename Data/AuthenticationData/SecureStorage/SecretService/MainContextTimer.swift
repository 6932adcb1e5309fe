#if os(Linux)
/// Wakes a main context once, unless the timer is deallocated first.
@safe final class MainContextTimer {
  private(set) var hasFired = false
  private let library: Libsecret
  private let source: Libsecret.Object

  init(_ delay: Duration, in context: Handle, _ library: Libsecret) {
    self.library = library
    let (seconds, attoseconds) = delay.components
    unsafe source = library.newTimer(UInt32(clamping: seconds * 1_000 + attoseconds / 1_000_000_000_000_000))!
    unsafe library.setCallback(source, Self.fire, Unmanaged.passUnretained(self).toOpaque(), nil)
    unsafe _ = library.attach(source, context.pointer)
  }

  private static let fire: Libsecret.SourceCallback = { data in
    unsafe Unmanaged<MainContextTimer>.fromOpaque(data!).takeUnretainedValue().hasFired = true
    return 0
  }

  deinit {
    unsafe library.destroySource(source)
    unsafe library.unrefSource(source)
  }
}
#endif
