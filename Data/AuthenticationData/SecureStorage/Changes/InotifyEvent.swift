#if !canImport(Security)
#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// An event that the kernel reports for one watched folder (inotify(7)).
struct InotifyEvent: Equatable {
  let number: Int32
  let mask: UInt32
  /// The name of an entry of the folder; empty if the event concerns the folder itself.
  let name: String

  /// The kernel's queue overflowed: any event may be lost.
  var isOverflow: Bool { mask & UInt32(IN_Q_OVERFLOW) != 0 }

  /// The folder was removed or moved.
  var isEndOfFolder: Bool { mask & UInt32(IN_IGNORED | IN_MOVE_SELF) != 0 }

  /// Blocks the thread until nothing more can be read.
  static func forEach(from descriptor: Int32, _ tell: (Self) -> Void) {
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = unsafe read(descriptor, &buffer, buffer.count)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return }
      for event in events(in: buffer[..<count]) { tell(event) }
    }
  }

  private static func events(in bytes: ArraySlice<UInt8>) -> [Self] {
    let size = MemoryLayout<inotify_event>.size
    var events: [Self] = []
    var rest = bytes
    while rest.count >= size {
      let header = unsafe rest.withUnsafeBytes { unsafe $0.loadUnaligned(as: inotify_event.self) }
      let name = rest.dropFirst(size).prefix(Int(header.len))
      events.append(
        Self(number: header.wd, mask: header.mask, name: String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)))
      rest = rest.dropFirst(size + Int(header.len))
    }
    return events
  }
}
#endif
