import AuthenticationKit
import Foundation

/// Records what leaves the app, after all of the root's decorators, and what came of it.
struct RecordingTransport: HTTPClient {
  let upstream: SystemHTTPClient
  let recorder: Recorder

  func send(_ request: HTTPRequest) async throws(AuthenticationError) -> HTTPResponse {
    if let session = request.session {
      recorder.step(.decorators, "authorizing", "attached \(session.accessToken.value.fingerprint)")
    }
    let title = "\(request.method.rawValue) \(request.url.path())"
    do throws(AuthenticationError) {
      let response = try await upstream.send(request)
      recorder.step(.provider, title, "\(response.status)")
      return response
    } catch {
      recorder.step(.provider, title, "\(error.code)")
      throw error
    }
  }
}
