import AuthenticationTestingServers

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
