#if os(Linux)
/// A reference to what libsecret or GLib counts references of, given back with this value.
@safe final class Handle {
  let pointer: OpaquePointer
  private let release: (OpaquePointer) -> Void

  init(_ pointer: OpaquePointer, release: @escaping (OpaquePointer) -> Void) {
    unsafe self.pointer = pointer
    unsafe self.release = release
  }

  deinit { unsafe release(pointer) }
}
#endif
