#if Tools && OpenID
import Foundation

/// The issuer's page, on which a user signs in.
struct IssuerPage {
  let title: String
  let explanation: String
  /// Where the form is sent to.
  let address: String
  /// The code that another device shows; nil on the page of a browser's sign-in.
  var userCode: String?
  var problem: String?

  var answer: Answer {
    Answer(
      status: 200,
      headers: [
        "Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store", "Referrer-Policy": "same-origin",
        "Content-Security-Policy":
          "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
      ], body: Data(HTML.document(page).markup.utf8))
  }

  private var page: HTML {
    HTML("html", ["lang": "en"]) {
      HTML("head") {
        HTML("meta", ["charset": "utf-8"])
        HTML("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"])
        HTML("title") { problem == nil ? title : "Error: \(title)" }
        HTML("style") { Self.style }
      }
      HTML("body") {
        HTML("main") {
          HTML("p", ["class": "issuer"]) { "Loopback issuer" }
          HTML("h1") { title }
          HTML("p") { explanation }
          if let problem { HTML("p", ["role": "alert", "class": "problem"]) { problem } }
          form
        }
      }
    }
  }

  private var form: HTML {
    HTML("form", ["method": "post", "action": address]) {
      if let userCode { field("user_code", "Code on the other device", "off", value: userCode) }
      field("username", "User name", "username")
      field("password", "Password", "current-password", type: "password")
      HTML("button", ["name": "decision", "value": "approve"]) { "Sign in" }
      HTML("button", ["name": "decision", "value": "decline", "class": "quiet"]) { "Do not sign in" }
    }
  }

  private func field(
    _ name: String, _ label: String, _ autocomplete: String, type: String = "text", value: String? = nil
  ) -> HTML {
    HTML("label") {
      label
      HTML(
        "input",
        [
          "name": name, "type": type, "autocomplete": autocomplete, "autocapitalize": "none", "spellcheck": "false",
          "value": value,
        ])
    }
  }
}
#endif
