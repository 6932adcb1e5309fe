/// A host as it goes over the wire: each label that is not ASCII in Punycode (RFC 3492, RFC 5891 §4.4).
enum ASCIIHost {
  /// The host of an address; nil if it has none.
  static func host(of address: String) -> String? {
    let rest = address.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false).last ?? ""
    let authority = rest.prefix { !"/?#\\".contains($0) }
    let host = (authority.split(separator: "@", omittingEmptySubsequences: false).last ?? "").prefix { $0 != ":" }
    guard !host.isEmpty else { return nil }
    return host.lowercased().split(separator: ".", omittingEmptySubsequences: false).map { label in
      label.allSatisfy(\.isASCII) ? String(label) : "xn--" + punycode(Array(label.unicodeScalars.map(\.value)))
    }.joined(separator: ".")
  }

  /// RFC 3492 §6.3.
  private static func punycode(_ input: [UInt32]) -> String {
    let basic = input.filter { $0 < 128 }
    var output = basic.map { Character(UnicodeScalar(UInt8($0))) }
    if !basic.isEmpty { output.append("-") }
    var handled = basic.count
    var next: UInt32 = 128
    var delta = 0
    var bias = 72
    while handled < input.count {
      let smallest = input.filter { $0 >= next }.min() ?? next
      delta += Int(smallest - next) * (handled + 1)
      next = smallest
      for value in input {
        if value < next { delta += 1 }
        guard value == next else { continue }
        output += digits(of: delta, bias: bias)
        bias = adapted(delta, count: handled + 1, isFirst: handled == basic.count)
        delta = 0
        handled += 1
      }
      delta += 1
      next += 1
    }
    return String(output)
  }

  private static func digits(of delta: Int, bias: Int) -> [Character] {
    var digits: [Character] = []
    var rest = delta
    var position = 36
    while true {
      let threshold = min(max(position - bias, 1), 26)
      guard rest >= threshold else { return digits + [digit(rest)] }
      digits.append(digit(threshold + (rest - threshold) % (36 - threshold)))
      rest = (rest - threshold) / (36 - threshold)
      position += 36
    }
  }

  private static func digit(_ value: Int) -> Character {
    Character(UnicodeScalar(UInt8(value < 26 ? 97 + value : 22 + value)))
  }

  /// RFC 3492 §6.1.
  private static func adapted(_ delta: Int, count: Int, isFirst: Bool) -> Int {
    var delta = isFirst ? delta / 700 : delta / 2
    delta += delta / count
    var bias = 0
    while delta > 455 {
      delta /= 35
      bias += 36
    }
    return bias + 36 * delta / (delta + 38)
  }
}
