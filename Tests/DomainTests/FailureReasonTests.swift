import AuthenticationDomain
import Foundation
import Testing

@Suite struct FailureReasonTests {
  private let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  @Test func `each reason has one row in the table of its type`() throws {
    let source = try String(
      contentsOf: folder.appending(path: "Domain/Authentication/FailureReason.swift"), encoding: .utf8)
    let rows = source.split(separator: "\n").filter { $0.hasPrefix("/// | `") }
    let listed = rows.flatMap { $0.split(separator: "|")[1].matches(of: /`(\w+)`/).map { String($0.1) } }
    let declared = source.matches(of: /static let \w+ = Self\("(\w+)"\)/).map { String($0.1) }
    #expect(declared.count > 30 && declared.sorted() == listed.sorted())
  }

  @Test func `no other file of the library has a reason of its own`() throws {
    for layer in ["Domain", "Data", "Presentation", "Composition/AuthenticationKit"] {
      let files = FileManager.default.enumerator(at: folder.appending(path: layer), includingPropertiesForKeys: nil)
      for file in files?.allObjects as? [URL] ?? [] where file.pathExtension == "swift" {
        if file.lastPathComponent == "FailureReason.swift" { continue }
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(!text.contains("extension FailureReason") && !text.contains("FailureReason(\""), "\(file.path())")
      }
    }
  }

  @Test func `an error keeps its reason, and a parameter is one`() {
    #expect(AuthenticationError.refreshRefused.reason == .refresh)
    #expect(AuthenticationError.invalidConfiguration("m", of: "clientID").reason?.description == "clientID")
    #expect(AuthenticationError.invalidConfiguration("m").reason == nil)
    #expect(AuthenticationError.refused(by: .nonce, "m").reason == .nonce)
  }

  @Test(arguments: ["two words", "", "\u{1B}[31m", String(repeating: "a", count: 65)])
  func `a text that is no plain token is no reason`(text: String) {
    #expect(FailureReason(text).description == "other")
  }
}
