import AuthenticationKit
import AuthenticationTesting
import AuthenticationTestingServers

/// A page with a flow in one of its states, to be looked at: it has no script, and its forms belong to nobody.
@MainActor
struct StatePage {
  let preset: AnyPreset
  let scene: Scene

  /// - Parameter scene: what the flow is drawn with.
  init(_ preset: AnyPreset, in scene: Scene) {
    self.preset = preset
    self.scene = scene.sealed(.blank)
  }

  var document: HTML {
    HTML("html", ["lang": scene.words.language.tag]) {
      HTML.head(title: "\(preset.name) – AuthenticationKit")
      HTML("body", ["class": "state"]) {
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

/// The list of each state of each flow.
@MainActor
struct StatesPage {
  static let path = "/states"
  let presets: [AnyPreset]

  var document: HTML {
    HTML("html", ["lang": "en"]) {
      HTML.head(title: "Each state of each flow – AuthenticationKit")
      HTML("body", ["class": "refused"]) {
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

extension HTML {
  /// Of a page that stands still.
  static func head(title: String) -> HTML {
    HTML("head") {
      HTML("meta", ["charset": "utf-8"])
      HTML("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"])
      HTML("meta", ["name": "color-scheme", "content": "light dark"])
      HTML("title") { title }
      HTML("link", ["rel": "icon", "href": "/showcase.svg"])
      HTML("link", ["rel": "stylesheet", "href": "/showcase.css"])
    }
  }
}
