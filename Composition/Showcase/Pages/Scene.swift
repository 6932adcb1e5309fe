import AuthenticationKit
import AuthenticationScreens
import AuthenticationTestingServers
import AuthCTLCommands

/// The content of a tab: the product on one of its pages, the mailbox, and the backstage.
@MainActor
struct Scene {
  let product: Product
  let backstage: Backstage
  let place: Place
  let seal: Seal
  let actions = Actions()

  var words: Words { product.words }

  /// The parts that are replaced when they change, by the ids of their elements.
  var regions: [(id: String, part: HTML)] {
    [("product", productRegion), ("mailbox", mailboxRegion), ("backstage", backstageRegion)]
  }

  var title: String {
    let failure = words.language.tag == "de" ? "Fehler: " : "Error: "
    return (shown.model.failureSentence == nil ? "" : failure) + shown.heading + " – AuthenticationKit"
  }

  /// The announcement of assistive technology although the focus stays.
  var status: String { shown.model.announcement?.text ?? "" }

  func sealed(_ seal: Seal) -> Scene { Scene(product: product, backstage: backstage, place: place, seal: seal) }

  /// Tells two drawings apart.
  func versions() -> [String: String] {
    sealed(.blank).regions.reduce(into: [:]) {
      $0[$1.id] = String(UInt(bitPattern: $1.part.hashValue), radix: 36)
    }
  }

  var document: HTML {
    let versions = versions()
    let direction = words.language.isRightToLeft ? "rtl" : "ltr"
    return HTML.page(
      title, ["lang": words.language.tag, "dir": direction], ["data-page": place.rawValue], script: "/showcase.js"
    ) {
      masthead
      HTML("p", ["id": "status", "role": "status", "class": "unseen"]) { status }
      HTML("main") {
        for region in regions {
          let isProduct = region.id == "product"
          HTML(
            "section",
            [
              "id": region.id, "data-version": versions[region.id], "lang": isProduct ? nil : "en",
              "data-step": isProduct ? shown.step : nil, "aria-labelledby": "\(region.id)-heading",
            ]
          ) { region.part }
        }
      }
      HTML.footer(
        "Everything here runs on this machine: the product, its providers, the mailbox. Nothing leaves it. ",
        "Each state of each flow")
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
        for line in product.world.providers.map(\.line) {
          button("line:\(line.id)", .segment, with: ["aria-pressed": "\(line.id == product.world.line.id)"]) {
            line.title
          }
        }
      }
      form(["class": "languages", "aria-label": "Language"]) {
        for (tag, name) in [("en", "English"), ("de", "Deutsch")] {
          let isOn = tag == words.language.tag
          button("language:\(tag)", .segment, with: ["lang": tag, "aria-pressed": "\(isOn)"]) { name }
        }
      }
      HTML("p", ["class": "intro"]) {
        "An app signs users in. Use it as you would any other, and watch where the data goes."
      }
    }
  }

  /// A QR code, black on white in any colour scheme, with the margin of four modules that scanners need.
  func drawing(of text: String, named name: String) -> HTML? {
    guard let code = QRCode(text) else { return nil }
    let size = code.modules.count + 8
    var path = ""
    for (y, row) in code.modules.enumerated() {
      for (x, isDark) in row.enumerated() where isDark { path += "M\(x + 4) \(y + 4)h1v1h-1z" }
    }
    return HTML("svg", ["id": "qr", "role": "img", "aria-label": name, "viewBox": "0 0 \(size) \(size)"]) {
      HTML("rect", ["width": "\(size)", "height": "\(size)", "fill": "#fff"])
      HTML("path", ["d": path, "fill": "#000", "shape-rendering": "crispEdges"])
    }
  }

  /// The name of the screen that is shown, its heading, and the model of the failure.
  var shown: (step: String, heading: String, model: FlowModel) {
    let model = product.screen(at: place).model
    switch place {
    case .reset where product.reset != nil: return ("reset", model.title, model)
    case .account where product.account != nil: return ("account", model.title, model)
    case .home, .reset, .account: break
    }
    return switch product.signIn.state {
    case .unknown: ("unknown", words("methods.list.title"), model)
    case .storeLocked(let store): ("locked", store.title, model)
    case .signedIn: ("session", model.title, model)
    default:
      (product.signIn.step?.name ?? "", product.signIn.step?.model?.title ?? words("error.unsupported_method"), model)
    }
  }
}

extension SignInStep {
  /// For the page's script.
  fileprivate var name: String {
    switch self {
    case .methods: "methods"
    case .form(let model): model.createsAccount ? "sign-up" : model.method == .emailLink ? "link" : "form"
    case .link: "link"
    case .device: "device"
    case .browser: "browser"
    case .passkey: "passkey"
    case .code: "code"
    case .factors: "factors"
    case .newPassword: "new-password"
    case .other: "other"
    }
  }
}

extension HTML {
  /// - Parameters:
  ///   - language: attributes of the whole page.
  ///   - script: for a page that continues by itself.
  static func page(
    _ title: String, _ language: KeyValuePairs<Name, String?>, _ body: KeyValuePairs<Name, String?> = [:],
    script: String? = nil, @HTMLBuilder _ content: () -> HTML
  ) -> HTML {
    HTML("html", language) {
      HTML("head") {
        HTML("meta", ["charset": "utf-8"])
        HTML("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"])
        HTML("meta", ["name": "color-scheme", "content": "light dark"])
        HTML("title") { title }
        HTML("link", ["rel": "icon", "href": "/showcase.svg"])
        HTML("link", ["rel": "stylesheet", "href": "/showcase.css"])
        if let script { HTML("script", ["src": script, "defer": ""]) }
      }
      HTML("body", body, [:], content)
    }
  }

  /// A page of text, with a way back.
  static func note(_ title: String, heading: String? = nil, @HTMLBuilder _ content: () -> HTML) -> HTML {
    HTML.page("\(title) – AuthenticationKit", ["lang": "en"], ["class": "note"]) {
      HTML("main") {
        HTML("h1") { heading ?? title }
        content()
        HTML("p") { HTML("a", ["href": "/", "class": "main"]) { "Back to the showcase" } }
      }
    }
  }

  /// - Parameter link: the link to the states of the flows.
  static func footer(_ text: String, _ link: String) -> HTML {
    HTML("footer", ["lang": "en"]) {
      HTML("p") {
        text
        HTML("a", ["href": "/states"]) { link }
      }
    }
  }
}

/// The actions of a drawing's buttons, by their intents.
@MainActor
final class Actions {
  var byIntent: [String: @MainActor (FormFields) async -> Void] = [:]
}

/// The token that each form of a page carries, so that only this browser can send it, and once.
struct Seal {
  var token = ""
  /// Another one for each form.
  var makeID: @MainActor () -> String = { "" }
  /// Whether seconds are drawn; without them, and with equal ids, two drawings of the same state are equal.
  var drawsSeconds = false

  /// For a drawing that is compared, and never sent.
  static var blank: Seal { Seal() }
}

extension Seal {
  @MainActor init(of visitor: Visitor) { self.init(token: visitor.token, makeID: Visitor.random, drawsSeconds: true) }
}
