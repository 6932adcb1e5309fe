import AuthenticationTestingServers
import AuthenticationKit

/// What the pages are made of.
extension Scene {
  func form(_ attributes: KeyValuePairs<HTML.Name, String?> = [:], @HTMLBuilder _ content: () -> HTML) -> HTML {
    let own: KeyValuePairs<HTML.Name, String?> = ["method": "post", "action": "/do", "novalidate": ""]
    return HTML("form", own, attributes) {
      hidden("token", seal.token)
      hidden("form", seal.makeID())
      hidden("page", place.rawValue)
      content()
    }
  }

  func hidden(_ name: String, _ value: String) -> HTML {
    HTML("input", ["type": "hidden", "name": name, "value": value])
  }

  /// A button, which is always possible to press.
  func button(_ title: String, _ intent: String, _ kind: ButtonKind = .plain, id: String? = nil) -> HTML {
    HTML("button", ["name": "intent", "value": intent, "class": kind.rawValue, "id": id]) { title }
  }

  enum ButtonKind: String { case main, plain, quiet, grave }

  /// The heading of the step, to which the focus goes where the model says so, or where there is nothing to fill in.
  func heading(_ title: String, _ focus: Focus?, hasFields: Bool = false) -> HTML {
    let isFocused = focus.map { $0.target == .heading } ?? !hasFields
    return HTML("h1", ["id": "product-heading", "tabindex": "-1", "autofocus": isFocused ? "" : nil]) { title }
  }

  /// What failed.
  func message(of model: any FlowModel) -> HTML? {
    guard model.failure != nil, let sentence = model.failureSentence else { return nil }
    return HTML(
      "p",
      ["id": "message", "role": "alert", "tabindex": "-1", "autofocus": model.focus?.target == .message ? "" : nil]
    ) { sentence }
  }

  func text(_ sentence: String, _ kind: String? = nil) -> HTML { HTML("p", ["class": kind]) { sentence } }

  /// A step that goes on by itself.
  func working(_ sentence: String) -> HTML {
    HTML("p", ["class": "working"]) {
      HTML("span", ["class": "dots", "aria-hidden": "true"])
      sentence
      HTML("noscript") {
        " "
        HTML("a", ["href": place.rawValue]) { "Refresh" }
      }
    }
  }

  /// A sentence about seconds, which the page counts down; `then` is shown once they are over.
  func countdown(_ seconds: Int?, then: String? = nil, _ sentence: (Words.Argument) -> String) -> HTML? {
    guard let seconds, seconds > 0 else { return nil }
    let parts = sentence(.words("\u{FFFC}")).split(separator: "\u{FFFC}", omittingEmptySubsequences: false)
    return HTML("p", ["class": "countdown", "data-then": then]) {
      String(parts.first ?? "")
      HTML("span", ["class": "clock", "data-left": "\(seal.drawsSeconds ? seconds : 0)"]) {
        seal.drawsSeconds ? Self.clock(seconds) : ""
      }
      String(parts.count > 1 ? parts[1] : "")
    }
  }

  /// Minutes and seconds.
  static func clock(_ seconds: Int) -> String {
    let rest = seconds % 60
    return "\(seconds / 60):\(rest < 10 ? "0" : "")\(rest)"
  }
}
