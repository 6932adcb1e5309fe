import AuthenticationData
import AuthenticationDomain
import Foundation

/// Requests as text, with the header fields sorted and their names in lower case, so that two can be compared.
enum WrittenRequest {
  static func normalized(_ text: String) -> String {
    let parts = text.split(separator: "\n\n", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let lines = (parts.first ?? "").split(separator: "\n").map(String.init)
    let fields = lines.dropFirst().map { line in
      let field = line.split(separator: ":", maxSplits: 1).map(String.init)
      return (name: field[0], value: String((field.count > 1 ? field[1] : "").drop { $0 == " " }))
    }
    return written(lines.first ?? "", fields, parts.count > 1 ? parts[1] : "")
  }

  static func written(_ line: String, _ fields: [(name: String, value: String)], _ body: String) -> String {
    let fields = fields.map { "\($0.name.lowercased()): \($0.value)" }.sorted()
    return ([line] + fields).joined(separator: "\n") + (body.isEmpty ? "" : "\n\n\(body)")
  }

  /// The first line in which two differ.
  static func difference(_ sent: String, _ expected: String) -> (sent: String, expected: String) {
    let lines = [sent, expected].map { $0.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }
    let index = zip(lines[0], lines[1]).enumerated().first { $0.element.0 != $0.element.1 }?.offset
    let line = index ?? min(lines[0].count, lines[1].count)
    return (lines[0].dropFirst(line).first ?? "", lines[1].dropFirst(line).first ?? "")
  }
}

extension HTTPRequest {
  var written: String {
    WrittenRequest.written(
      "\(method.rawValue) \(url.absoluteString)", headers.fields.map { (name: $0.name, value: $0.value.reveal()) },
      String(decoding: body ?? Data(), as: UTF8.self))
  }
}
