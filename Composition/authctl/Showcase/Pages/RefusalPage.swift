import AuthenticationTestingServers

/// What is shown in place of a page, with a way back.
struct RefusalPage {
  let refusal: Refusal

  init(_ refusal: Refusal) { self.refusal = refusal }

  var document: HTML {
    HTML("html", ["lang": "en"]) {
      HTML("head") {
        HTML("meta", ["charset": "utf-8"])
        HTML("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"])
        HTML("title") { "Error: nothing was done – AuthenticationKit" }
        HTML("link", ["rel": "stylesheet", "href": "/showcase.css"])
      }
      HTML("body", ["class": "refused"]) {
        HTML("main") {
          HTML("h1") { "Nothing was done" }
          HTML("p") { refusal.sentence }
          HTML("p") { HTML("a", ["href": "/", "class": "main"]) { "Back to the showcase" } }
        }
      }
    }
  }
}
