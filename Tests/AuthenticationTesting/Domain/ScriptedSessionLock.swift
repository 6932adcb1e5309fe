public import AuthenticationDomain
import Synchronization

/// A lock between managers that share it, or held by "another process" as long as a test says.
public final class ScriptedSessionLock: SessionLock {
  private struct Contents {
    var isHeldElsewhere = false
    var failure: AuthenticationError?
    var acquisitions = 0
    var releases = 0
  }

  private let contents = Mutex(Contents())
  private let (released, releaseEvents) = AsyncStream.makeStream(of: Void.self)

  /// Free at first.
  public init() {}

  /// How often it was taken.
  public var acquisitions: Int { contents.withLock { $0.acquisitions } }
  /// How often it was given back.
  public var releases: Int { contents.withLock { $0.releases } }

  /// Lets "another process" hold it, or give it back.
  public func setHeldElsewhere(_ isHeld: Bool) { contents.withLock { $0.isHeldElsewhere = isHeld } }
  /// Every attempt to take it throws this from now on; nil ends that.
  public func fail(with error: AuthenticationError?) { contents.withLock { $0.failure = error } }

  /// Returns at the next release that nobody has waited for yet.
  public func waitForRelease() async {
    for await _ in released { return }
  }

  public func tryAcquire() throws(AuthenticationError) -> Bool {
    try contents.withLock { contents -> Result<Bool, AuthenticationError> in
      if let failure = contents.failure { return .failure(failure) }
      if contents.isHeldElsewhere || contents.acquisitions > contents.releases { return .success(false) }
      contents.acquisitions += 1
      return .success(true)
    }.get()
  }

  /// Takes it from its holder, as a system does before it suspends a process.
  public func takeBack() { contents.withLock { $0.releases += 1 } }

  public var isStillHeld: Bool { contents.withLock { $0.acquisitions > $0.releases } }

  public func release() {
    contents.withLock { $0.releases += 1 }
    releaseEvents.yield()
  }
}
