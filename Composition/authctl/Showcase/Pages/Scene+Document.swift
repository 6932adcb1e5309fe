import AuthenticationKit
import AuthenticationTestingServers

extension Scene {
  var document: HTML {
    let versions = versions()
    return HTML(
      "html", ["lang": words.language.tag, "dir": words.language.isRightToLeft ? "rtl" : "ltr"]
    ) {
      HTML.head(title: title, script: "/showcase.js")
      HTML("body", ["data-page": place.rawValue]) {
        masthead
        HTML("p", ["id": "status", "role": "status", "class": "unseen"]) { status }
        HTML("main") {
          for region in regions {
            HTML(
              "section",
              [
                "id": region.id, "data-version": versions[region.id], "lang": region.id == "product" ? nil : "en",
                "data-step": region.id == "product" ? step : nil, "aria-labelledby": "\(region.id)-heading",
              ]
            ) { region.part }
          }
        }
        HTML("footer", ["lang": "en"]) {
          HTML("p") {
            "Everything here runs on this machine: the product, its providers, the mailbox. Nothing leaves it. "
            HTML("a", ["href": StatesPage.path]) { "Each state of each flow" }
          }
        }
      }
    }
  }

  /// Which product line is on the stage, and in which language.
  private var masthead: HTML {
    HTML("header", ["class": "masthead", "lang": "en"]) {
      HTML("a", ["class": "brand", "href": "/"]) {
        HTML("span", ["class": "mark", "aria-hidden": "true"])
        "AuthenticationKit"
      }
      form(["class": "lines", "aria-label": "Provider"]) {
        for line in product.world.lines {
          HTML(
            "button",
            [
              "name": "intent", "value": "line:\(line.id)", "class": "segment",
              "aria-pressed": line.id == product.world.line.id ? "true" : "false",
            ]
          ) { line.title }
        }
      }
      form(["class": "languages", "aria-label": "Language"]) {
        for (tag, name) in [("en", "English"), ("de", "Deutsch")] {
          HTML(
            "button",
            [
              "name": "intent", "value": "language:\(tag)", "class": "segment", "lang": tag,
              "aria-pressed": tag == words.language.tag ? "true" : "false",
            ]
          ) { name }
        }
      }
      HTML("p", ["class": "intro"]) {
        "An app signs people in. Use it as you would any other, and watch where the data goes."
      }
    }
  }
}
