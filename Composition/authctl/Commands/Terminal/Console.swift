import AuthenticationKit
import AuthenticationOpenID
import Foundation

/// stdout is for machines, stderr for users.
package struct Console: Sendable {
  let isJSON: Bool
  /// The beginning of the line about a failure.
  let program: String

  package init(isJSON: Bool, program: String = "authctl") {
    self.isJSON = isJSON
    self.program = program
  }

  /// One line for scripts, with any content: names and reports come from servers and other machines.
  package func out(_ line: String) { out(Data((line.printable + "\n").utf8)) }

  /// Ends the process where nothing can be printed: a script must not take silence for success.
  func out(_ data: Data) {
    do {
      try FileHandle.standardOutput.write(contentsOf: data)
    } catch {
      say("\(program): The output cannot be written. Check where standard output goes.")
      exit(ExitStatus.unexpected.rawValue)
    }
  }

  /// One JSON object on a separate line, keys in order.
  func out(json object: JSONObject) {
    if let line = object.line { out(line) }
  }

  /// A result: an object for scripts, or its line.
  func out(_ line: String, json object: JSONObject) {
    if isJSON { out(json: object) } else { out(line) }
  }

  /// One sentence for users.
  package func say(_ line: String) { ask(line.printable + "\n") }

  /// Opens a page in the browser, or says that it has to be opened by hand.
  package func showPage(_ address: String) async {
    guard let url = URL(string: address) else { return }
    do throws(AuthenticationError) {
      try await SystemBrowser.show(url)
    } catch {
      say("No browser could be opened. Open \(address) in one of this machine.")
    }
  }

  func ask(_ prompt: String) { try? FileHandle.standardError.write(contentsOf: Data(prompt.utf8)) }

}

/// A line for scripts: an event of the contract, or an entry of a list. Nil members are left out.
package struct JSONObject: Encodable, ExpressibleByDictionaryLiteral {
  private struct Member: Encodable {
    let value: any Encodable

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(value)
    }
  }

  private let members: [String: Member]

  package init(dictionaryLiteral members: (String, (any Encodable)?)...) {
    self.members = members.reduce(into: [:]) { $0[$1.0] = $1.1.map { Member(value: $0) } }
  }

  init(_ members: [String: String]) { self.members = members.mapValues { Member(value: $0) } }

  package func encode(to encoder: any Encoder) throws { try members.encode(to: encoder) }

  /// The text, its keys in order.
  package var line: String? {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .iso8601
    return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self).escapingUnprintable }
  }
}

extension String {
  /// Without characters that would move a terminal's cursor, colour it, begin a line or turn the text around: names
  /// come from servers.
  var printable: String { String(String.UnicodeScalarView(unicodeScalars.filter(\.isPrintable))) }

  /// The same JSON text (RFC 8259 §7), in which no such character stands as it is. In an encoder's output they stand in
  /// strings only.
  var escapingUnprintable: String {
    var escaped = ""
    for scalar in unicodeScalars {
      if scalar.isPrintable {
        escaped.unicodeScalars.append(scalar)
      } else {
        for unit in scalar.utf16 { escaped += "\\u" + String(format: "%04x", unit) }
      }
    }
    return escaped
  }
}

extension Unicode.Scalar {
  fileprivate var isPrintable: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: false
    default: !properties.isBidiControl
    }
  }
}

extension Int {
  /// "1 minute", "2 minutes".
  package func counted(_ unit: String) -> String { "\(self) \(unit)\(self == 1 ? "" : "s")" }
}

extension Duration {
  /// In whole minutes, or in seconds where there is less than one.
  var words: String {
    let seconds = Int(components.seconds)
    return seconds < 60 ? seconds.counted("second") : (seconds / 60).counted("minute")
  }
}

/// When this process was started (UTC): anything that other processes have done since then counts as concurrent.
enum ProcessStart {
  /// Read it first at the beginning of `main`, from where on it does not change.
  static let date = now - min(max(now.timeIntervalSince(kernelDate ?? now), 0), longestLoading)

  private static let now = Date()
  /// Seconds between the start of a process and its `main`; a longer time is that of another program, which became this
  /// one.
  private static let longestLoading = 2.0

  /// The system's value, in hundredths of a second, and never too early; nil where it has none.
  private static var kernelDate: Date? {
    #if os(Linux)
    var sinceBoot = timespec()
    guard unsafe clock_gettime(CLOCK_BOOTTIME, &sinceBoot) == 0,
      let fields = try? String(contentsOfFile: "/proc/self/stat", encoding: .utf8).split(separator: ")").last?.split(
        separator: " "), fields.count > 19, let ticks = Double(fields[19])
    else { return nil }
    let uptime = Double(sinceBoot.tv_sec) + Double(sinceBoot.tv_nsec) / 1e9
    return Date() - (uptime - (ticks + 1) / Double(sysconf(Int32(_SC_CLK_TCK))))
    #else
    return nil
    #endif
  }
}
