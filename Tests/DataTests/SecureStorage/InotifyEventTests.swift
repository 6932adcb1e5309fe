#if os(Linux)
import Foundation
import Synchronization
import Testing

@testable import AuthenticationData

@Suite(.timeLimit(.minutes(10))) struct InotifyEventTests {
  private let pipe = Pipe()

  /// As the kernel writes one: padded with zeros.
  private func bytes(of event: InotifyEvent, padding: Int) -> Data {
    let name = Data(event.name.utf8) + Data(count: padding)
    let header = [UInt32(bitPattern: event.number), event.mask, 0, UInt32(name.count)]
    return unsafe header.withUnsafeBytes { unsafe Data($0) } + name
  }

  @Test func `all that one reading brings is told, in its order`() throws {
    let events = [
      InotifyEvent(number: 1, mask: UInt32(IN_MOVED_TO), name: "session"),
      InotifyEvent(number: 2, mask: UInt32(IN_IGNORED), name: ""),
      InotifyEvent(number: 1, mask: UInt32(IN_DELETE), name: "other"),
    ]
    let all = bytes(of: events[0], padding: 9) + bytes(of: events[1], padding: 0) + bytes(of: events[2], padding: 11)
    try pipe.fileHandleForWriting.write(contentsOf: all + all.prefix(7))
    try pipe.fileHandleForWriting.close()
    var told: [InotifyEvent] = []
    InotifyEvent.forEach(from: pipe.fileHandleForReading.fileDescriptor) { told.append($0) }
    #expect(told == events)
  }

  @Test func `a signal that arrives while a change is awaited ends nothing`() async throws {
    var action = sigaction()
    unsafe action.__sigaction_handler.sa_handler = { _ in }
    _ = unsafe sigaction(SIGUSR2, &action, nil)
    let descriptor = pipe.fileHandleForReading.fileDescriptor
    let (threads, isReading) = AsyncStream.makeStream(of: pthread_t.self)
    let (told, tell) = AsyncStream.makeStream(of: InotifyEvent.self)
    Thread.detachNewThread {
      // A thread of a dispatch queue, which may have made this one, hears no signals.
      var signals = sigset_t()
      _ = unsafe sigfillset(&signals)
      _ = unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
      isReading.yield(pthread_self())
      InotifyEvent.forEach(from: descriptor) { tell.yield($0) }
      tell.finish()
    }
    let reader = try #require(await threads.first { _ in true })
    for _ in 0..<10_000 { pthread_kill(reader, SIGUSR2) }
    let event = InotifyEvent(number: 1, mask: UInt32(IN_DELETE), name: "session")
    try pipe.fileHandleForWriting.write(contentsOf: bytes(of: event, padding: 1))
    try pipe.fileHandleForWriting.close()
    #expect(await told.first { _ in true } == event)
  }
}
#endif
