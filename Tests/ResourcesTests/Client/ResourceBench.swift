#if os(macOS) || os(Linux)
import AuthenticationData
import AuthenticationDomain
import AuthenticationDomainTesting
import AuthenticationKit
import AuthenticationTestingServers
import Foundation
import Synchronization
import VendorServers

@testable import AuthenticationResources

/// An app on a device, and the protected resource that it meets.
final class ResourceBench: Sendable {
  let server: LoopbackProtectedResource
  let storage = InMemoryStorage()
  let clock: any AuthenticationClock
  private let registered = Mutex<[String]>([])

  init(
    clock: any AuthenticationClock = SystemClock(),
    _ change: (inout LoopbackProtectedResource.Options) -> Void = { _ in }
  ) async throws {
    var options = LoopbackProtectedResource.Options()
    change(&options)
    self.clock = clock
    server = LoopbackProtectedResource(options, clock: clock)
    try await server.start()
  }

  /// Of the resource and its authorization server.
  var origin: String { Origin(server.address)?.description ?? "" }

  /// The stored registrations of the app.
  var clients: RegisteredClients {
    RegisteredClients(
      storage: StorageLocation.secure(storage).realm("resource \(server.address.absoluteString)").secrets)
  }

  /// The ids that the app was told of.
  var registrations: [String] { registered.withLock { $0 } }

  /// A launch of the app.
  func root(
    storage other: InMemoryStorage? = nil, _ change: (inout ProtectedResourceClient) -> Void = { _ in },
    options: (inout MainRoot.Options) -> Void = { _ in }
  ) throws(AuthenticationError) -> MainRoot {
    var client = ProtectedResourceClient(name: "Notes")
    client.presenter = presenter
    client.onRegistration = { [weak self] id, _ in self?.registered.withLock { $0.append(id) } }
    change(&client)
    return try MainRoot(.protectedResource(server.address.absoluteString, client)) {
      $0.storage = .secure(other ?? storage)
      $0.clock = clock
      options(&$0)
    }
  }

  /// A browser whose user agrees at once.
  var presenter: SystemBrowserPresenter {
    SystemBrowserPresenter(clock: clock) { [server] page throws(AuthenticationError) in
      guard let target = try? await server.visit(page) else { throw .cancelled }
      _ = try await SystemHTTPClient().send(HTTPRequest(.get, target))
    }
  }

  func call(_ root: MainRoot, _ method: HTTPMethod = .get, _ path: String = "") async throws(AuthenticationError) -> Int
  {
    try await root.apiClient.send(HTTPRequest(method, server.address.appending(path: path))).status
  }

  func fields(_ operation: String) -> [[String: String]] {
    server.traffic.requests(on: operation).map { request in
      let coded = request.method == "GET" ? request.query : String(decoding: request.body, as: UTF8.self)
      return Dictionary(
        (URLComponents(string: "?\(coded.replacing("+", with: "%20"))")?.queryItems ?? []).map {
          ($0.name, $0.value ?? "")
        },
        uniquingKeysWith: { $1 })
    }
  }
}

extension MainRoot {
  @discardableResult
  func signIn() async throws(AuthenticationError) -> User { try await useCase.signIn(with: BrowserSignIn()) }
}
#endif
