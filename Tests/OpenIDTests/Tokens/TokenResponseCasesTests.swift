import AuthenticationData
import AuthenticationDomain
import Foundation
import Testing

@testable import AuthenticationOpenID

/// Responses of token endpoints as files, each with its meaning: `Fixtures/TokenResponses`.
@Suite struct TokenResponseCasesTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Fixtures/TokenResponses")
  static let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()

  @Test func `every case is read`() { #expect(Self.names.count >= 20) }

  @Test(arguments: names) func `a token response has the result of its case`(name: String) async throws {
    let text = try String(contentsOf: Self.folder.appending(path: name), encoding: .utf8)
    let parts = text.split(separator: "\n\n", maxSplits: 1)
    let fields = Dictionary(
      parts[0].split(separator: "\n").map { line in
        let pair = line.split(separator: ":", maxSplits: 1)
        return (String(pair[0]), pair[1].trimmingCharacters(in: .whitespaces))
      }, uniquingKeysWith: { $1 })
    let status = try #require(fields["status"].flatMap { Int($0) })
    let response = json(status, String(parts[1]), type: fields["type"])
    let isRefresh = fields["grant"] == "refresh"
    let endpoint = TokenBench(.success(response)).endpoint
    var found: String
    do throws(AuthenticationError) {
      let tokens = try endpoint.tokens(
        of: response, askedFor: ["asked"], boundTo: nil, typeIfMissing: isRefresh ? "Bearer" : nil,
        refusal: isRefresh ? .sessionRejected : .invalidCredentials)
      let scopes = tokens.access.scopes.joined(separator: ",")
      found = "tokens \(tokens.access.value.reveal()) \(tokens.access.type) \(tokens.refresh?.reveal() ?? "") \(scopes)"
    } catch {
      let words = [error.code, error.providerCode, error.response?.rawValue]
      found = words.compactMap(\.self).joined(separator: " ")
    }
    #expect(found == fields["result"])
  }
}
