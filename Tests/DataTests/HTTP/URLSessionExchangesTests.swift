import AuthenticationDomain
import Foundation
import Testing

@testable import AuthenticationData

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Reports of URLSession: some come on one system only, so that a protocol of the tests makes them here.
@Suite(.serialized, .timeLimit(.minutes(10))) struct URLSessionExchangesTests {
  @Test(arguments: [
    (HTTPMethod.get, "200/8?Content-Length=9"), (.get, "200/0?Content-Length=9"), (.post, "200/8?Content-Length=9"),
    (.get, "401/8?Content-Length=9"), (.get, "200/8?content-length=9&Content-Type=text/plain"),
  ])
  func `an answer that ends short of its length is lost, though there is no error`(
    method: HTTPMethod, answer: String
  ) async throws {
    await #expect(throws: AuthenticationError(.connectionLost, "")) { try await send(method, answer).get() }
  }

  @Test(arguments: [
    (HTTPMethod.get, "200/9?Content-Length=9", 9), (.get, "200/8", 8), (.get, "200/8?Content-Length=x", 8),
    (.head, "200/0?Content-Length=9", 0), (.get, "204/0?Content-Length=9", 0), (.get, "304/0?Content-Length=9", 0),
    (.get, "200/8?Content-Length=9&Content-Encoding=gzip", 8),
  ])
  func `an answer that has its length, or need not have it, is whole`(
    method: HTTPMethod, answer: String, count: Int
  ) async throws {
    #expect(try await send(method, answer).get().body.count == count)
  }

  private func send(_ method: HTTPMethod, _ answer: String) async throws -> URLSessionExchanges.Outcome {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.protocolClasses = [WrittenAnswer.self]
    let exchanges = URLSessionExchanges(maximumBodySize: 1_000)
    let session = URLSession(configuration: configuration, delegate: exchanges, delegateQueue: nil)
    defer { session.finishTasksAndInvalidate() }
    var request = URLRequest(url: try #require(URL(string: "https://api.example.com/\(answer)")))
    request.httpMethod = method.rawValue
    let origin = try #require(request.url.flatMap(Origin.init))
    let task = session.dataTask(with: request)
    return await withCheckedContinuation { exchanges.start(task, to: origin, $0) }
  }
}

/// Answers as a request's URL says: the status, how many bytes of a body, and the header fields.
private final class WrittenAnswer: URLProtocol {
  override class func canInit(with request: URLRequest) -> Bool { true }
  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  override func startLoading() {
    guard let url = request.url, let parts = URLComponents(url: url, resolvingAgainstBaseURL: false) else { return }
    let numbers = url.pathComponents.compactMap { Int($0) }
    let headers = Dictionary(uniqueKeysWithValues: (parts.queryItems ?? []).map { ($0.name, $0.value ?? "") })
    let head = HTTPURLResponse(url: url, statusCode: numbers[0], httpVersion: "HTTP/1.1", headerFields: headers)
    client?.urlProtocol(self, didReceive: head!, cacheStoragePolicy: .notAllowed)
    client?.urlProtocol(self, didLoad: Data(count: numbers[1]))
    client?.urlProtocolDidFinishLoading(self)
  }

  override func stopLoading() {}
}
