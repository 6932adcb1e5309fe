#if os(Linux)
/// Owns one reference to an object of libsecret or GLib, and releases it when deallocated.
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
