#if os(macOS) || os(Linux)
import AuthenticationDomain
import Synchronization
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Sockets that listen on the loopback interface, and on no other address of this machine (RFC 8252 §8.3).
final class ListeningSocket: Sendable {
  /// Of 127.0.0.1, and of ::1 if the host is `localhost`: a browser may resolve that name to either.
  let descriptors: [Int32]
  let port: UInt16
  private let isClosed = Atomic(false)

  /// Throws ``AuthenticationError/redirectPortBusy`` if the port is taken. Without IPv6 on this machine, `localhost` is
  /// 127.0.0.1 alone.
  init(host: String = "127.0.0.1", port: UInt16?) throws(AuthenticationError) {
    let families = host == "localhost" ? [AF_INET, AF_INET6] : [AF_INET]
    // A port that is free in one family may be taken in the other.
    for attempt in 1...(port == nil ? 20 : 1) {
      var opened: [Int32] = []
      var bound = port ?? 0
      var reason: Int32 = 0
      for family in families where reason == 0 {
        guard let descriptor = POSIXSocket.make(family) else {
          reason = errno
          break
        }
        // Otherwise the port is busy for a minute after each sign-in (TIME_WAIT). It does not allow two simultaneous
        // listeners.
        POSIXSocket.allowReuse(descriptor)
        if let number = POSIXSocket.serve(descriptor, onLoopbackPort: bound, of: family) {
          bound = number
          opened.append(descriptor)
        } else {
          reason = errno
          POSIXSocket.end(descriptor)
        }
      }
      if !opened.isEmpty, [0, EAFNOSUPPORT, EADDRNOTAVAIL].contains(reason) {
        (descriptors, self.port) = (opened, bound)
        return
      }
      opened.forEach(POSIXSocket.end)
      if reason != EADDRINUSE || attempt == 20 { throw .cannotListen(port, reason) }
    }
    throw .cannotListen(port, EADDRINUSE)
  }

  deinit { close() }

  /// Nil if the browser has already disconnected. Throws if no more can be accepted: a retry would not help.
  func accept(from descriptor: Int32) throws(AuthenticationError) -> Int32? {
    if let connection = POSIXSocket.connection(of: descriptor) { return connection }
    let reason = errno
    if [EAGAIN, EWOULDBLOCK, EINTR, ECONNABORTED, EPROTO, ENETDOWN].contains(reason) { return nil }
    throw .cannotListen(port, reason)
  }

  /// Refuses every later connection; calling it again does nothing.
  func close() {
    guard !isClosed.exchange(true, ordering: .acquiringAndReleasing) else { return }
    for descriptor in descriptors {
      POSIXSocket.stopListening(descriptor)
      POSIXSocket.end(descriptor)
    }
  }
}

extension AuthenticationError {
  fileprivate static func cannotListen(_ port: UInt16?, _ reason: Int32) -> Self {
    Self(
      .redirectPortBusy,
      port.map { "Port \($0) of this machine cannot be listened on." }
        ?? "No port of this machine can be listened on.",
      suggestion: "Close the program that uses it, or use RedirectURI.loopback() without a port.",
      cause: Cause(domain: "errno", code: Int(reason)))
  }
}

/// The socket calls that are used here. None of them blocks.
enum POSIXSocket {
  #if canImport(Darwin)
  private static let stream = SOCK_STREAM
  private static let silently: Int32 = 0
  #elseif canImport(Musl)
  private static let stream = Int32(SOCK_STREAM)
  private static let silently = Int32(MSG_NOSIGNAL)
  #else
  private static let stream = Int32(SOCK_STREAM.rawValue)
  private static let silently = Int32(MSG_NOSIGNAL)
  #endif

  enum Received {
    case nothing
    case bytes([UInt8])
    case ended
  }

  /// Nil, with `errno`, if that fails.
  static func make(_ family: Int32) -> Int32? {
    let descriptor = socket(family, stream, 0)
    guard descriptor >= 0 else { return nil }
    keepPrivate(descriptor)
    // Otherwise it would take the port of 127.0.0.1 as well.
    if family == AF_INET6 { set(IPV6_V6ONLY, of: descriptor, at: Int32(IPPROTO_IPV6)) }
    return descriptor
  }

  /// Closes the descriptor in programs that this one starts, and makes it non-blocking.
  static func keepPrivate(_ descriptor: Int32) {
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
  }

  static func allowReuse(_ descriptor: Int32) { set(SO_REUSEADDR, of: descriptor) }

  /// Returns the port on which it listens; nil, with `errno`, if that fails.
  static func serve(_ descriptor: Int32, onLoopbackPort port: UInt16, of family: Int32) -> UInt16? {
    if family == AF_INET {
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      return isListening(descriptor, on: &address) ? UInt16(bigEndian: address.sin_port) : nil
    }
    var address = sockaddr_in6()
    address.sin6_family = sa_family_t(AF_INET6)
    address.sin6_port = port.bigEndian
    address.sin6_addr = in6addr_loopback
    return isListening(descriptor, on: &address) ? UInt16(bigEndian: address.sin6_port) : nil
  }

  private static func isListening<Address>(_ descriptor: Int32, on address: inout Address) -> Bool {
    var size = socklen_t(MemoryLayout<Address>.size)
    return unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { general in
        unsafe bind(descriptor, general, size) == 0 && listen(descriptor, 16) == 0
          && getsockname(descriptor, general, &size) == 0
      }
    }
  }

  static func connection(of listener: Int32) -> Int32? {
    let descriptor = accept(listener, nil, nil)
    guard descriptor >= 0 else { return nil }
    keepPrivate(descriptor)
    #if canImport(Darwin)
    set(SO_NOSIGPIPE, of: descriptor)
    #endif
    return descriptor
  }

  static func receive(_ descriptor: Int32) -> Received {
    var buffer = [UInt8](repeating: 0, count: 16_384)
    let count = unsafe buffer.withUnsafeMutableBytes { unsafe recv(descriptor, $0.baseAddress, $0.count, 0) }
    if count > 0 { return .bytes(Array(buffer.prefix(count))) }
    if count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR) { return .nothing }
    return .ended
  }

  static func write(_ bytes: [UInt8], to descriptor: Int32) {
    _ = unsafe bytes.withUnsafeBytes { unsafe send(descriptor, $0.baseAddress, $0.count, silently) }
  }

  static func finishSending(_ descriptor: Int32) { _ = shutdown(descriptor, Int32(SHUT_WR)) }

  /// Refuses all further connections, also if a child process has inherited the socket. Darwin cannot; there a socket is
  /// inherited only by a child that another thread forks while it is made.
  static func stopListening(_ descriptor: Int32) {
    #if !canImport(Darwin)
    _ = shutdown(descriptor, Int32(SHUT_RDWR))
    #endif
  }

  static func end(_ descriptor: Int32) { _ = close(descriptor) }

  private static func set(_ option: Int32, of descriptor: Int32, at level: Int32 = SOL_SOCKET) {
    var yes: Int32 = 1
    _ = unsafe setsockopt(descriptor, level, option, &yes, socklen_t(MemoryLayout<Int32>.size))
  }
}

/// Waits without a timeout until one of these can be read or has ended.
enum Polling {
  static func wait(for descriptors: [Int32]) -> Set<Int32> {
    var requests = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    guard unsafe poll(&requests, nfds_t(requests.count), -1) > 0 else { return [] }
    return Set(requests.filter { $0.revents != 0 }.map(\.fd))
  }
}

/// Wakes a thread that waits in `poll`, with a pipe. May be called from any thread.
final class WakeUp: Sendable {
  let descriptor: Int32
  private let bell: Int32

  init() throws(AuthenticationError) {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else {
      throw AuthenticationError(
        .redirectPortBusy, "This process has too many open files to listen for the redirect.",
        cause: AuthenticationError.Cause(domain: "errno", code: Int(errno)))
    }
    (descriptor, bell) = (ends[0], ends[1])
    for end in ends { POSIXSocket.keepPrivate(end) }
  }

  deinit {
    POSIXSocket.end(descriptor)
    POSIXSocket.end(bell)
  }

  /// Never blocks: if the pipe is full, the thread wakes as well.
  func ring() {
    var byte: UInt8 = 1
    _ = unsafe write(bell, &byte, 1)
  }

  func quieten() {
    var bytes = [UInt8](repeating: 0, count: 64)
    while unsafe read(descriptor, &bytes, bytes.count) > 0 {}
  }
}

#endif
