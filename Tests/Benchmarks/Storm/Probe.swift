import AuthenticationData
import AuthenticationDomain
import Foundation
import Synchronization

/// The least that can serve a storm: one lock, one list of continuations, one HTTP call. It stores nothing, publishes
/// nothing, forgives nothing.
final class Probe: Sendable {
  private struct Contents {
    var token: String
    var isValid: Bool
    var isRefreshing = false
    var waiters: [CheckedContinuation<String?, Never>] = []
  }

  private struct Tokens: Decodable {
    let accessToken: String
    let refreshToken: String
  }

  private let contents: Mutex<Contents>
  private let request: HTTPRequest
  private let client: any HTTPClient

  init(token: String, isValid: Bool, request: HTTPRequest, client: any HTTPClient) {
    contents = Mutex(Contents(token: token, isValid: isValid))
    self.request = request
    self.client = client
  }

  /// Nil where the refresh failed.
  func token(rejecting rejected: String? = nil) async -> String? {
    await withCheckedContinuation { continuation in
      let (token, isFirst): (String?, Bool) = contents.withLock { contents in
        if contents.isValid, contents.token != rejected { return (contents.token, false) }
        contents.waiters.append(continuation)
        defer { contents.isRefreshing = true }
        return (nil, !contents.isRefreshing)
      }
      if let token { continuation.resume(returning: token) }
      if isFirst { Task.detached { await self.refresh() } }
    }
  }

  private func refresh() async {
    let response = try? await client.send(request)
    let token = response.flatMap { try? JSONDecoder().decode(Tokens.self, from: $0.body) }?.accessToken
    let waiters = contents.withLock { contents in
      contents.token = token ?? contents.token
      contents.isValid = token != nil
      contents.isRefreshing = false
      defer { contents.waiters = [] }
      return contents.waiters
    }
    for waiter in waiters { waiter.resume(returning: token) }
  }
}
