import AuthenticationAccountPresentation
import AuthenticationKit
import AuthenticationTestingServers
import AuthCTLCommands

/// What a tab shows: the product on one of its pages, the mailbox, and what happens backstage.
@MainActor
struct Scene {
  let product: Product
  let backstage: Backstage
  let place: Place
  let seal: Seal

  var words: Words { product.words }

  /// The parts that are replaced when they change, by the ids of their elements.
  var regions: [(id: String, part: HTML)] {
    [("product", productRegion), ("mailbox", mailboxRegion), ("backstage", backstageRegion)]
  }

  var title: String {
    let page = productHeading
    return (hasFailed ? words.language.tag == "de" ? "Fehler: " : "Error: " : "") + page + " – AuthenticationKit"
  }

  /// What assistive technology says although the focus stays.
  var status: String { shownModel?.announcement?.text ?? "" }

  var hasFailed: Bool { shownModel?.failureSentence != nil }

  func sealed(_ seal: Seal) -> Scene { Scene(product: product, backstage: backstage, place: place, seal: seal) }

  /// Tells two drawings apart.
  func versions() -> [String: String] {
    let blank = sealed(.blank)
    return Dictionary(
      blank.regions.map { ($0.id, String(UInt(bitPattern: $0.part.hashValue), radix: 36)) }
    ) { first, _ in first }
  }
}

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
        "An app signs users in. Use it as you would any other, and watch where the data goes."
      }
    }
  }
}

extension Scene {
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
}

/// What stands above each screen, and in the title of its tab.
extension Scene {
  var productHeading: String {
    switch place {
    case .reset: if let reset = product.reset { return reset.title }
    case .account: if let account = product.account { return account.title }
    case .home: break
    }
    switch product.signIn.state {
    case .unknown: return words("methods.list.title")
    case .storeLocked: return words("locked.store.title")
    case .signedIn: return words("session.card.title")
    case .signedOut(_, let step), .expired(_, let step): return title(of: step)
    }
  }

  func title(of step: SignInStep) -> String { step.model?.title ?? words("error.unsupported_method") }
}

/// A user shows again who they are; what was interrupted then goes on.
extension Scene {
  func proofPage(_ model: ReauthenticationModel) -> HTML {
    if case .proving(let step) = model.state { return page(of: step) }
    return HTML.joined([
      opening(model, hasFields: model.asks),
      text(words("reauthentication.ask.explanation"), "lead"),
      form {
        switch model.state {
        case .required(_, let methods, _): proofs(methods)
        case .askingPassword(let entries, _, _):
          fields(of: entries, focus: model.focus)
          button(words("reauthentication.submit.button"), "submit", .main)
        case .askingCode(let entry):
          codeField(entry, focus: model.focus)
          button(words("code.submit.button"), "submit", .main)
        case .checking, .resuming: working(words("code.submit.working"))
        case .proving, .done, .failed, .declined: HTML.empty
        }
        button(words("reauthentication.decline.button"), "account-back", .quiet)
      },
    ])
  }

  func proofs(_ methods: [SignInMethod]) -> HTML {
    HTML("div", ["class": "methods"]) {
      for method in methods {
        HTML("button", ["name": "intent", "value": "prove:\(method.id)", "class": "method"]) {
          words.name(of: method)
        }
      }
    }
  }
}

extension ReauthenticationModel {
  /// Whether there is something to fill in.
  fileprivate var asks: Bool {
    switch state {
    case .askingPassword, .askingCode: true
    default: false
    }
  }
}

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

/// What each form of a page carries, so that only this browser can send it, and once.
struct Seal {
  let token: String
  /// Another one for each form.
  let makeID: () -> String
  /// Whether seconds are drawn; without them, and with equal ids, two drawings of the same state are equal.
  let drawsSeconds: Bool

  @MainActor
  init(of visitor: Visitor) {
    token = visitor.token
    makeID = Visitor.random
    drawsSeconds = true
  }

  private init() {
    token = ""
    makeID = { "" }
    drawsSeconds = false
  }

  /// For a drawing that is compared, and never sent.
  static var blank: Seal { Seal() }
}
