package import AuthenticationDomain
import Synchronization

/// Notifies a session's manager when its provider responds, so that the cooldown after an outage ends.
///
/// The origins of a provider are those to which its own client sends. While one of them fails, a response of another
/// one says nothing.
package final class ProviderReach: Sendable {
  private struct Contents {
    weak var manager: AuthManager?
    var origins: Set<Origin> = []
    var failing: Set<Origin> = []
  }

  private let contents = Mutex(Contents())

  /// Follows no manager yet.
  package init() {}

  /// Notifies this manager from now on.
  package func follow(_ manager: AuthManager) { contents.withLock { $0.manager = manager } }

  /// - Parameters:
  ///   - responds: whether the origin has responded and does not fail.
  ///   - isProvider: whether the request is the provider's own; another one counts only if it went to an origin of the
  ///     provider, which responds.
  func note(_ request: HTTPRequest, responds: Bool, isProvider: Bool) {
    if !isProvider, !responds || contents.withLock({ $0.manager })?.isHeldOff != true { return }
    guard let origin = Origin(request.url) else { return }
    let manager: AuthManager? = contents.withLock { contents in
      if isProvider { contents.origins.insert(origin) }
      guard contents.origins.contains(origin) else { return nil }
      guard responds else {
        contents.failing.insert(origin)
        return nil
      }
      contents.failing.remove(origin)
      return contents.failing.isEmpty ? contents.manager : nil
    }
    manager?.noteProviderReached()
  }
}

/// Notes from a client's exchanges whether the provider is reachable; changes nothing.
struct NotingHTTPClient<Upstream: HTTPClient>: HTTPClient {
  let upstream: Upstream
  let reach: ProviderReach
  let isProvider: Bool

  func send(_ request: HTTPRequest) async throws(AuthenticationError) -> HTTPResponse {
    do throws(AuthenticationError) {
      let response = try await upstream.send(request)
      let responds = response.status < 500 && response.status != 429
      reach.note(request, responds: responds, isProvider: isProvider)
      return response
    } catch {
      if error != .cancelled { reach.note(request, responds: false, isProvider: isProvider) }
      throw error
    }
  }
}

extension HTTPClient {
  /// Notes which exchanges show that a provider responds. Place it next to the transport.
  ///
  /// - Parameters:
  ///   - reach: is notified.
  ///   - isProvider: whether the provider sends these requests, and not the app.
  package func noting(_ reach: ProviderReach, isProvider: Bool) -> some HTTPClient {
    NotingHTTPClient(upstream: self, reach: reach, isProvider: isProvider)
  }
}

#if canImport(Network)
import Network

/// The network of an Apple device, as the system sees it.
package enum NetworkPath {
  /// Runs `act` each time the network becomes usable again, until the task is cancelled.
  package static func follow(_ act: @escaping @Sendable () -> Void) -> Task<Void, Never> {
    Task.detached {
      var wasUsable = true
      for await path in NWPathMonitor() {
        let isUsable = path.status == .satisfied
        if isUsable, !wasUsable { act() }
        wasUsable = isUsable
      }
    }
  }
}
#endif
