package import AuthenticationDomain

/// A lock between managers that share it, or held by "another process" as long as a test says.
package final class ScriptedSessionLock: SessionLock {
  private struct Contents {
    var isHeldElsewhere = false
    var failure: AuthenticationError?
    var acquisitions = 0
    var releases = 0
    var takenBack = 0
    var waits = 0
  }

  private let contents = AwaitableState(Contents())

  /// Free at first.
  package init() {}

  /// How often it was taken.
  package var acquisitions: Int { contents.value.acquisitions }
  /// How often it was released.
  package var releases: Int { contents.value.releases }

  /// Lets "another process" hold it, or give it back.
  package func setHeldElsewhere(_ isHeld: Bool) { contents.update { $0.isHeldElsewhere = isHeld } }
  /// Every attempt to take it throws this from now on; nil ends that.
  package func fail(with error: AuthenticationError?) { contents.update { $0.failure = error } }

  /// Returns at the next release that no call has waited for yet, or when the task is cancelled.
  package func waitForRelease() async {
    let number = contents.update { contents in
      contents.waits += 1
      return contents.waits
    }
    await contents.wait { $0.releases - $0.takenBack >= number }
  }

  package func tryAcquire() throws(AuthenticationError) -> Bool {
    try contents.update { contents -> Result<Bool, AuthenticationError> in
      if let failure = contents.failure { return .failure(failure) }
      if contents.isHeldElsewhere || contents.acquisitions > contents.releases { return .success(false) }
      contents.acquisitions += 1
      return .success(true)
    }.get()
  }

  /// Takes it from its holder, as a system does before it suspends a process.
  package func takeBack() {
    contents.update { contents in
      contents.releases += 1
      contents.takenBack += 1
    }
  }

  package var isStillHeld: Bool {
    let contents = contents.value
    return contents.acquisitions > contents.releases
  }

  package func release() { contents.update { $0.releases += 1 } }
}
