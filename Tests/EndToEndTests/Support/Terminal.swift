import Foundation

/// A separate terminal, at which a test types.
struct Terminal {
  /// The input of the process.
  let input: FileHandle
  private let keyboard: FileHandle

  init() throws {
    let (master, name) = try Self.open()
    keyboard = FileHandle(fileDescriptor: master, closeOnDealloc: true)
    let slave = unsafe Foundation.open(name, O_RDWR | O_NOCTTY)
    guard slave >= 0 else { throw POSIXError(.ENOTTY) }
    input = FileHandle(fileDescriptor: slave, closeOnDealloc: true)
  }

  func type(_ keys: String) throws { try keyboard.write(contentsOf: Data(keys.utf8)) }

  var showsWhatIsTyped: Bool {
    var settings = termios()
    unsafe tcgetattr(input.fileDescriptor, &settings)
    let flags = tcflag_t(ECHO | ICANON | ISIG)
    return settings.c_lflag & flags == flags
  }

  private static func open() throws -> (master: Int32, name: String) {
    let master = unsafe Foundation.open("/dev/ptmx", O_RDWR | O_NOCTTY)
    guard master >= 0 else { throw POSIXError(.ENOTTY) }
    #if canImport(Darwin)
    guard grantpt(master) == 0, unlockpt(master) == 0, let name = unsafe ptsname(master) else {
      throw POSIXError(.ENOTTY)
    }
    return (master, unsafe String(cString: name))
    #else
    // Glibc's own functions for this are not visible here: TIOCSPTLCK, TIOCGPTN.
    var (lock, number): (Int32, Int32) = (0, 0)
    guard unsafe ioctl(master, 0x4004_5431, &lock) == 0, unsafe ioctl(master, 0x8004_5430, &number) == 0 else {
      throw POSIXError(.ENOTTY)
    }
    return (master, "/dev/pts/\(number)")
    #endif
  }
}
