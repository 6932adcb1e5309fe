import AuthenticationTestingServers

extension HTML {
  /// - Parameter script: for a page that goes on by itself.
  static func head(title: String, script: String? = nil) -> HTML {
    HTML("head") {
      HTML("meta", ["charset": "utf-8"])
      HTML("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"])
      HTML("meta", ["name": "color-scheme", "content": "light dark"])
      HTML("title") { title }
      HTML("link", ["rel": "icon", "href": "/showcase.svg"])
      HTML("link", ["rel": "stylesheet", "href": "/showcase.css"])
      if let script { HTML("script", ["src": script, "defer": ""]) }
    }
  }
}
