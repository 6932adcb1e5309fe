import AuthenticationKit
import AuthenticationTesting
import AuthenticationTestingServers

/// A page with a flow in one of its states, to be looked at: it has no script, and its forms belong to nobody.
@MainActor
struct StatePage {
  let preset: AnyPreset
  /// What the flow is drawn with.
  let scene: Scene

  var document: HTML {
    HTML("html", ["lang": scene.words.language.tag]) {
      HTML.head(title: "\(preset.name) – AuthenticationKit")
      HTML("body") {
        HTML("main") {
          HTML("section", ["id": "product", "aria-labelledby": "product-heading"]) {
            HTML("div", ["class": "screen"]) { scene.page(of: preset) }
          }
        }
        HTML("footer", ["lang": "en"]) {
          HTML("p") {
            "\(preset.name). "
            HTML("a", ["href": StatesPage.path]) { "All states" }
          }
        }
      }
    }
  }
}
