/// Markup in which each text is escaped. Names of elements and attributes are literals: nothing that came from a user
/// or a server can become markup, since such code does not compile.
///
/// ```
/// HTML("p", ["class": "notice"]) { "Signed in as "; HTML("strong") { user.name } }
/// ```
package struct HTML: Sendable, Hashable {
  /// The markup, to be sent.
  package let markup: String

  package static let empty = HTML(markup: "")

  /// A text, escaped.
  package init(text: String) { markup = text.escapedForMarkup }

  /// An element; attributes without a value are left out.
  package init(
    _ element: Name, _ attributes: KeyValuePairs<Name, String?> = [:], _ more: KeyValuePairs<Name, String?> = [:],
    @HTMLBuilder _ content: () -> HTML = { .empty }
  ) {
    var text = "<\(element.text)"
    for (name, value) in Array(attributes) + Array(more) {
      guard let value else { continue }
      text += " \(name.text)=\"\(name.leadsSomewhere ? value.safeAddress : value.escapedForMarkup)\""
    }
    markup = text + (element.isVoid ? ">" : ">\(content().markup)</\(element.text)>")
  }

  /// A whole page.
  package static func document(_ root: HTML) -> HTML { HTML(markup: "<!doctype html>\n" + root.markup) }

  package static func joined(_ parts: [HTML]) -> HTML { HTML(markup: parts.map(\.markup).joined()) }

  private init(markup: String) { self.markup = markup }

  /// Only a literal of the source is a name.
  package struct Name: ExpressibleByStringLiteral, Sendable {
    fileprivate let text: String

    package init(stringLiteral value: StaticString) { text = value.description }

    fileprivate var isVoid: Bool { ["br", "hr", "input", "link", "meta"].contains(text) }
    fileprivate var leadsSomewhere: Bool { ["href", "src", "action"].contains(text) }
  }
}

extension String {
  /// With U+FFFD for characters that no page may contain (HTML §13.2.3.5).
  fileprivate var escapedForMarkup: String {
    var escaped = ""
    escaped.reserveCapacity(utf8.count)
    for scalar in unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      case "\t", "\n": escaped.unicodeScalars.append(scalar)
      case _ where scalar.properties.generalCategory == .control: escaped.unicodeScalars.append("\u{FFFD}")
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// A place of this site, or of the web; anything else, such as a script, leads nowhere.
  fileprivate var safeAddress: String {
    let isOwn = hasPrefix("/") && !hasPrefix("//") && !hasPrefix("/\\")
    return isOwn || hasPrefix("#") || hasPrefix("http://") || hasPrefix("https://") ? escapedForMarkup : "#"
  }
}
