import AuthenticationTesting
import AuthenticationTestingServers

/// The list of each state of each flow.
@MainActor
struct StatesPage {
  static let path = "/states"
  let presets: [AnyPreset]

  var document: HTML {
    HTML("html", ["lang": "en"]) {
      HTML.head(title: "Each state of each flow – AuthenticationKit")
      HTML("body", ["class": "note"]) {
        HTML("main") {
          HTML("h1") { "Each state of each flow" }
          HTML("ul") {
            for (number, preset) in presets.enumerated() {
              HTML("li") { HTML("a", ["href": "\(Self.path)?of=\(number)"]) { preset.name } }
            }
          }
          HTML("p") { HTML("a", ["href": "/", "class": "main"]) { "Back to the showcase" } }
        }
      }
    }
  }
}
