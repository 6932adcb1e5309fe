#if os(Linux)
import AuthenticationDomain
import Foundation
import Glibc
import Synchronization

@testable import AuthenticationData

/// A server's bytes for a request, over a real connection: the process continues, and the returned bytes were written.
enum RawAnswerTarget {
  private static let limit = 2_000
  private static let server = Result { try OneAnswerServer() }
  private static let client = Result { () throws(AuthenticationError) in
    try SystemHTTPClient(maximumBodySize: limit)
  }

  static func check(_ input: [UInt8]) throws {
    let (server, client) = (try server.get(), try client.get())
    let request = HTTPRequest(.post, server.url)
    let done = DispatchSemaphore(value: 0)
    let answer = Mutex<Result<HTTPResponse, AuthenticationError>?>(nil)
    // On separate threads: the caller's may be the only one of the pool.
    Task.detached(executorPreference: QueueExecutor.shared) {
      let result = await Result.of { () async throws(AuthenticationError) in try await client.send(request) }
      answer.withLock { $0 = result }
      done.signal()
    }
    try Finding.unless(server.serve(input), "a POST is sent")
    done.wait()
    switch answer.withLock({ $0 }) {
    case .success(let response): try check(response, input)
    case .failure(let error):
      try error.checkSilence()
      try Finding.unless(
        [.connectionLost, .responseTooLarge].contains(error), "a bad answer is told as one: \(error.code)")
    case nil: throw Finding(description: "a call returns")
    }
    try Finding.unless(!server.isCalledAgain, "a POST is sent once")
  }

  private static func check(_ response: HTTPResponse, _ input: [UInt8]) throws {
    let ends = ["\n\r\n", "\n\n"].map { Array($0.utf8) }
    try Finding.unless(ends.contains { !input.ranges(of: $0).isEmpty }, "a head that has not ended is no answer")
    try Finding.unless((200...999).contains(response.status), "an informational response is not the answer")
    try Finding.unless(response.body.count <= limit, "no body is longer than allowed")
    try Finding.unless(
      response.headers.fields.count <= ResponseHead.maximumCount, "no head has more fields than allowed")
    for field in response.headers.fields {
      try Finding.unless(field.name.isToken, "a field has a name")
      try Finding.unless(!field.value.reveal().utf8.contains { [0, 10, 13].contains($0) }, "a value has one line")
    }
    try Finding.unless(Set(response.headers.values(of: "Content-Length")).count <= 1, "a body has one length")
  }
}

private final class QueueExecutor: TaskExecutor {
  static let shared = QueueExecutor()
  private let queue = DispatchQueue(label: "RawAnswerTarget")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { [self] in unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
  }
}

/// A port of 127.0.0.1 that takes one connection at a time, on its caller's thread.
private struct OneAnswerServer: Sendable {
  private let listener: Int32
  let url: URL

  init() throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe bind(listener, address, size) == 0 && listen(listener, 8) == 0
          && getsockname(listener, address, &size) == 0
      }
    }
    var timeout = timeval(tv_sec: 100, tv_usec: 0)
    unsafe setsockopt(listener, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    guard isListening, let url = URL(string: "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))/") else {
      throw POSIXError(.EADDRNOTAVAIL)
    }
    self.listener = listener
    self.url = url
  }

  /// False where no request comes.
  func serve(_ answer: [UInt8]) -> Bool {
    let connection = accept(listener, nil, nil)
    guard connection >= 0 else { return false }
    defer { close(connection) }
    var request: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 4_096)
    while request.suffix(4) != [13, 10, 13, 10] {
      let count = unsafe recv(connection, &piece, piece.count, 0)
      guard count > 0 else { return false }
      request += piece.prefix(count)
    }
    var rest = answer[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { break }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// Whether another connection waits.
  var isCalledAgain: Bool {
    var descriptor = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&descriptor, 1, 0) > 0
  }
}
#endif
