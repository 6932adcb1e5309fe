import AuthenticationTestingServers
import Foundation
import AuthenticationKit

/// Steps that happen elsewhere: on another device, on the issuer's page, in the browser's own window.
extension Scene {
  func devicePage(_ model: DeviceCodeModel) -> HTML {
    HTML.joined([
      heading(title(of: model), model.focus), message(of: model) ?? .empty,
      form {
        switch model.state {
        case .showing(let code, _): deviceCode(code, model)
        case .requesting: working(words("form.submit.working"))
        case .idle, .denied, .expired, .failed, .next, .done:
          button(words("device.new_code.button"), "submit", .main)
        }
        button(words("form.cancel.button"), "start-again", .quiet)
      },
    ])
  }

  @HTMLBuilder private func deviceCode(_ code: DeviceCode, _ model: DeviceCodeModel) -> HTML {
    HTML("p", ["class": "lead"]) {
      words("device.showing.address", .text(code.host ?? code.address))
      " "
      HTML("a", ["href": code.address, "target": "_blank", "rel": "noopener"]) { HTML.foreign(code.address) }
    }
    text(words("device.showing.code"))
    HTML("p", ["id": "device-code", "class": "big-code"]) {
      HTML("bdi", ["aria-hidden": "true"]) { code.userCode }
      HTML("span", ["class": "unseen"]) { code.spelledCode }
    }
    drawing(of: code.scannedAddress, named: words("device.showing.qr", .text(code.host ?? code.address)))
    countdown(model.secondsLeft) { words("device.showing.left", $0) }
  }

  func browserPage(_ model: BrowserSignInModel) -> HTML {
    HTML.joined([
      heading(words("browser.open.title"), model.focus), message(of: model) ?? .empty,
      form {
        if model.isWorking, let page = product.page {
          HTML("p") {
            HTML("a", ["href": page.absoluteString, "class": "main"]) { words("browser.open.again") }
          }
        } else {
          button(words("browser.open.again"), "submit", .main)
        }
        button(words("form.cancel.button"), "start-again", .quiet)
      },
    ])
  }

  func passkeyPage(_ model: PasskeyModel) -> HTML {
    HTML.joined([
      heading(words("passkey.prompt.title"), model.focus), message(of: model) ?? .empty,
      ceremony
        ?? form {
          button(words("passkey.prompt.button"), "submit", .main)
        },
      form { button(words("form.cancel.button"), "start-again", .quiet) },
    ])
  }

  /// What the browser is asked for; the page's script asks, and sends the answer.
  var ceremony: HTML? {
    guard let ceremony = product.ceremony else { return nil }
    return form([
      "id": "ceremony", "data-kind": ceremony.kind.rawValue, "data-number": "\(ceremony.number)",
      "data-options": ceremony.options,
    ]) {
      hidden("ceremony", "\(ceremony.number)")
      hidden("answer", "")
      HTML("noscript") {
        HTML("p") { "A passkey takes the script of this page: switch it on, or choose another way." }
      }
      HTML("button", ["type": "button", "class": "main", "data-asks": ""]) { words("passkey.prompt.button") }
      button(words("form.cancel.button"), "passkey-declined", .quiet)
    }
  }
}
