import AuthenticationData
import AuthenticationDomain
import Foundation
import Testing

@Suite struct UserAgentTests {
  // rule 6
  @Test func `no source of the library names an embedded web view`() throws {
    let package = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..").standardized
    var sources = 0
    for layer in ["Domain", "Data", "Presentation", "Composition"] {
      let files = FileManager.default.enumerator(at: package.appending(path: layer), includingPropertiesForKeys: nil)
      for case let file as URL in try #require(files) where file.pathExtension == "swift" {
        sources += 1
        let text = try String(contentsOf: file, encoding: .utf8)
        for name in ["WebKit", "WKWebView", "UIWebView", "WebView("] {
          #expect(!text.contains(name), "\(file.lastPathComponent) names \(name)")
        }
      }
    }
    #expect(sources > 100)
  }

  // rule 2
  @Test func `unpredictable values come from the system's generator unless a test says otherwise`() throws {
    let environment = AuthProviderConfiguration.Environment(
      httpClient: try SystemHTTPClient.shared, clock: SystemClock())
    let draws = (0..<64).map { _ in environment.randomBytes(32) }
    #expect(draws.allSatisfy { $0.count == 32 })
    #expect(Set(draws).count == 64)
    // 2,048 bytes that leave out more than two in three of all values are no random ones.
    #expect(Set(draws.joined()).count > 85)
  }
}
