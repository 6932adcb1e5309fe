import AuthenticationData
import AuthenticationDomain
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import Synchronization
import Testing

@testable import AuthenticationVerifier

/// A server with the verifier, in as many lines as it takes.
final class VerifierCell: Sendable {
  private let verifier = Mutex<AccessTokenVerifier?>(nil)

  func set(_ verifier: AccessTokenVerifier) { self.verifier.withLock { $0 = verifier } }

  func answer(_ request: LoopbackIdentityServer.RecordedRequest) async -> Answer {
    guard let verifier = verifier.withLock({ $0 }) else { return Answer(status: 503) }
    if request.path == verifier.metadataURL.path() {
      return .json(String(decoding: verifier.metadata(scopes: ["notes:write"]), as: UTF8.self))
    }
    var headers: HTTPHeaders = [:]
    for (name, value) in request.headers { headers.append(name, value) }
    do throws(AccessTokenRefusal) {
      let access = try await verifier.verify(
        method: request.method, path: request.path, headers: headers,
        requiring: request.path == "/mcp/admin" ? ["admin"] : [])
      return Answer.json("{\"sub\":\"\(access.subject ?? "")\"}").adding(access.responseHeaders)
    } catch {
      return Answer(status: error.status).adding(error.headers)
    }
  }
}

extension Answer {
  fileprivate func adding(_ headers: HTTPHeaders) -> Answer {
    Set(headers.fields.map(\.name)).reduce(self) { answer, name in
      answer.adding(name, headers.values(of: name).joined(separator: ", "))
    }
  }
}

/// The client of this library at a server that uses the verifier.
@Suite struct VerifierOverHTTPTests {
  @Test(arguments: [true, false])
  func `a session's requests are accepted`(bindsTokens: Bool) async throws {
    let server = try await ResourceServer(bindsTokens: bindsTokens)
    for _ in 0..<3 {
      let response = try await server.get("/mcp")
      #expect(response.status == 200 && response.value(at: "sub")?.text == LoopbackOpenIDIssuer.Account.ada.subject)
    }
    #expect(server.loopback.requests(on: .keys).count <= 2)
    await server.stop()
  }

  @Test func `the client gets the server's nonce, keeps it, and replaces it`() async throws {
    let secret = Secret("0123456789abcdef0123456789abcdef")
    let server = try await ResourceServer(
      bindsTokens: true, proofs: AccessTokenProofs(isRequired: true, nonceSecret: secret))
    for _ in 0..<4 {
      #expect(try await server.get("/mcp").status == 200)
      server.clock.advance(by: .seconds(70))
    }
    await server.stop()
  }

  @Test func `a token that is not bound is refused where one must be`() async throws {
    let server = try await ResourceServer(proofs: AccessTokenProofs(isRequired: true))
    let response = try await server.get("/mcp")
    #expect(response.status == 401)
    #expect(response.headers["WWW-Authenticate"]?.hasPrefix(#"DPoP error="invalid_token""#) == true)
    await server.stop()
  }

  @Test func `a missing scope reaches the app as the scope to ask for`() async throws {
    let server = try await ResourceServer(bindsTokens: true)
    do throws(AuthenticationError) {
      let response = try await server.get("/mcp/admin")
      #expect(response.status == 403)
    } catch {
      #expect(error == .insufficientScope && error.requiredScopes == ["admin"])
    }
    await server.stop()
  }

  @Test func `the metadata document is served where the challenge says`() async throws {
    let server = try await ResourceServer()
    let client = try SystemHTTPClient()
    let challenge = try await client.send(HTTPRequest(.get, URL(string: server.origin + "/mcp")!))
    let parameter = try #require(challenge.challenges.first?.parameters["resource_metadata"])
    let document = try await client.send(HTTPRequest(.get, try #require(URL(string: parameter))))
    #expect(document.value(at: "resource")?.text == "\(server.origin)/mcp")
    #expect(challenge.status == 401 && challenge.challenges.map(\.scheme) == ["bearer", "dpop"])
    await server.stop()
  }
}
