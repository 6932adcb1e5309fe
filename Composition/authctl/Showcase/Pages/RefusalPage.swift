import AuthenticationTestingServers

/// What is shown in place of a page, with a way back.
struct RefusalPage {
  let refusal: Refusal

  init(_ refusal: Refusal) { self.refusal = refusal }

  var document: HTML {
    HTML("html", ["lang": "en"]) {
      HTML.head(title: "Error: nothing was done – AuthenticationKit")
      HTML("body", ["class": "note"]) {
        HTML("main") {
          HTML("h1") { "Nothing was done" }
          HTML("p") { refusal.sentence }
          HTML("p") { HTML("a", ["href": "/", "class": "main"]) { "Back to the showcase" } }
        }
      }
    }
  }
}
