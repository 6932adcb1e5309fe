import AuthenticationKit
import AuthenticationTesting
import AuthenticationTestingServers

extension HTML {
  /// The list of each state of each flow.
  @MainActor static func states(_ presets: [AnyPreset]) -> HTML {
    .note("Each state of each flow") {
      HTML("ul") {
        for (number, preset) in presets.enumerated() {
          HTML("li") { HTML("a", ["href": "/states?of=\(number)"]) { preset.name } }
        }
      }
    }
  }
}

/// A flow in one of its states, drawn as where a user meets it.
extension Scene {
  /// A page to be looked at: it has no script, and its forms do nothing.
  func document(of preset: AnyPreset) -> HTML {
    HTML.page("\(preset.name) – AuthenticationKit", ["lang": words.language.tag]) {
      HTML("main") {
        HTML("section", ["id": "product", "aria-labelledby": "product-heading"]) {
          HTML("div", ["class": "screen"]) { drawing(of: preset.page, by: preset.model, named: preset.name) }
        }
      }
      HTML.footer("\(preset.name). ", "All states")
    }
  }
}
