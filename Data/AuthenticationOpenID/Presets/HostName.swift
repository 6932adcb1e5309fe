extension StringProtocol {
  /// Whether it is a domain of two labels or more, without a scheme, a port and a path.
  var isDomain: Bool {
    let labels = split(separator: ".", omittingEmptySubsequences: false)
    return labels.count > 1 && labels.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(\.isHostCharacter) }
  }
}

extension UInt8 {
  fileprivate var isHostCharacter: Bool {
    isLowercaseOrDigit || (0x41...0x5A).contains(self) || self == UInt8(ascii: "-")
  }
}
