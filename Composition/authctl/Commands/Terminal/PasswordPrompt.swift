import ArgumentParser
import AuthenticationKit
import Foundation

extension Console {
  /// Reads a password: a line of standard input, or from the terminal without showing it.
  func password(fromInput: Bool, asking prompt: String = "Password: ") throws -> Secret {
    if fromInput || isatty(STDIN_FILENO) == 0 { return Secret(try StandardInput.nextLine("--password-stdin") ?? "") }
    let input = HiddenInput()
    ask(prompt)
    defer { say("") }
    return Secret(try input.line())
  }

  /// Reads a user name at a terminal, where none was given as an option. Throws where there is no terminal: a script's
  /// input is the password.
  func userName(_ given: String?) throws -> String {
    if let given { return given }
    guard isatty(STDIN_FILENO) != 0 else { throw ValidationError("--username is missing.") }
    ask("User name: ")
    return try StandardInput.nextLine("--username") ?? ""
  }
}

/// A terminal that shows nothing and passes each key on; as it was when this is given up, or the process ends or stops.
struct HiddenInput: ~Copyable {
  private typealias Handler = @convention(c) (Int32) -> Void

  /// The terminal as it was, and as it is meanwhile. Allocated once: a signal's handler may not allocate.
  nonisolated(unsafe) private static let settings = UnsafeMutablePointer<termios>.allocate(capacity: 2)
  private static let ending = [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP]

  /// Whether the terminal shows nothing now: the end of the process shows it again.
  nonisolated(unsafe) private static var isHidden = false
  private static let showsAtEnd: Void = {
    atexit { if unsafe isHidden { unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, settings) } }
  }()

  private static let show: Handler = { number in
    unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, settings)
    signal(number, SIG_DFL)
    raise(number)
  }

  private static let hide: Handler = { _ in
    unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, settings + 1)
    signal(SIGTSTP, show)
  }

  private let former: [(number: Int32, handler: Handler?)]

  init() {
    var shown = termios()
    unsafe tcgetattr(STDIN_FILENO, &shown)
    var hidden = shown
    // Without signals of the keyboard: control-C is read as a key.
    hidden.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG | IEXTEN)
    unsafe withUnsafeMutableBytes(of: &hidden.c_cc) { keys in
      unsafe keys[Int(VMIN)] = 1
      unsafe keys[Int(VTIME)] = 0
    }
    unsafe Self.settings.initialize(to: shown)
    unsafe (Self.settings + 1).initialize(to: hidden)
    let handlers = Self.ending.map { ($0, Self.show) } + [(SIGCONT, Self.hide)]
    former = handlers.map { number, handler in
      let before = signal(number, handler)
      // `nohup`, or an interruption that awaits the requests in flight and then ends the process.
      if unsafe unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) { signal(number, SIG_IGN) }
      return (number, before)
    }
    Self.showsAtEnd
    unsafe Self.isHidden = true
    unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden)
  }

  deinit {
    unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, Self.settings)
    unsafe Self.isHidden = false
    for (number, handler) in former { signal(number, handler) }
  }

  /// Up to the end of the line; throws ``AuthenticationError/cancelled`` on control-C.
  borrowing func line() throws -> String {
    var line = HiddenLine()
    var key: UInt8 = 0
    while !line.isEnded {
      let count = unsafe read(STDIN_FILENO, &key, 1)
      if count < 0, errno == EINTR { continue }
      guard count == 1 else { break }
      try line.press(key)
    }
    return try StandardInput.text(line.bytes, "The password")
  }
}

/// A line as it is typed, key by key.
struct HiddenLine {
  private(set) var bytes: [UInt8] = []
  private(set) var isEnded = false

  mutating func press(_ key: UInt8) throws(AuthenticationError) {
    switch key {
    // Control-C and control-\, the end of the line, control-D, delete and backspace, control-U.
    case 0x03, 0x1C: throw .cancelled
    case 0x0A, 0x0D: isEnded = true
    case 0x04: isEnded = bytes.isEmpty
    case 0x7F, 0x08: while let last = bytes.popLast(), last & 0b1100_0000 == 0b1000_0000 {}
    case 0x15: bytes = []
    case 0..<0x20: break
    default: bytes.append(key)
    }
  }
}
