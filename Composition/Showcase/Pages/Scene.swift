import AuthenticationAccountPresentation
import AuthenticationKit
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
    return (screen.model.failureSentence == nil ? "" : failure) + screen.heading + " – AuthenticationKit"
  }

  /// The announcement of assistive technology although the focus stays.
  var status: String { screen.model.announcement?.text ?? "" }

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
              "data-step": isProduct ? screen.step : nil, "aria-labelledby": "\(region.id)-heading",
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

  /// The product's screen, the part above it, and the model of the failure.
  var screen: (step: String, heading: String, model: any FlowModel) {
    if place == .reset, let reset = product.reset { return ("reset", reset.title, reset) }
    if place == .account, let account = product.account { return ("account", account.title, account) }
    let signIn = product.signIn
    return switch signIn.state {
    case .unknown: ("unknown", words("methods.list.title"), signIn)
    case .storeLocked: ("locked", words("locked.store.title"), signIn)
    case .signedIn: ("session", words("session.card.title"), signIn)
    case .signedOut(_, let step), .expired(_, let step): (step.name, title(of: step), signIn)
    }
  }

  func title(of step: SignInStep) -> String { step.model?.title ?? words("error.unsupported_method") }
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

/// A user proves their identity again; the interrupted action then continues.
extension Scene {
  @HTMLBuilder func proofPage(
    _ model: ReauthenticationModel, decline: @escaping @MainActor () -> Void = {}
  ) -> HTML {
    if case .proving(let step) = model.state {
      page(of: step)
    } else {
      let asks =
        switch model.state {
        case .askingPassword, .askingCode: true
        default: false
        }
      opening(model, hasFields: asks)
      text(words("reauthentication.ask.explanation"), "lead")
      form {
        switch model.state {
        case .required(_, let methods, _): proofs(methods) { product.prove(with: $0, in: model) }
        case .askingPassword(let entries, _, _):
          fields(of: entries, focus: model.focus)
          submit("reauthentication.submit.button") { typed in
            model.password = typed["password"]
            model.submit()
          }
        case .askingCode(let entry):
          codeField(entry, focus: model.focus)
          submit("code.submit.button") { typed in
            model.code = typed["code"]
            model.submit()
          }
        case .checking, .resuming: working(words("code.submit.working"))
        case .proving, .done, .failed, .declined: HTML.empty
        }
        button(words("reauthentication.decline.button"), "account-back", .quiet, decline)
      }
    }
  }

  func proofs(_ methods: [SignInMethod], _ act: @escaping @MainActor (SignInMethod) -> Void = { _ in }) -> HTML {
    HTML("div", ["class": "methods"]) {
      for method in methods { button("prove:\(method.id)", .method, { act(method) }) { words.name(of: method) } }
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
