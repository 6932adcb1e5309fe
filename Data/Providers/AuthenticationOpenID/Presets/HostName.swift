import AuthenticationBrowser

extension StringProtocol {
  /// Whether it is a domain of two labels or more, without a scheme, a port and a path.
  var isDomain: Bool {
    let labels = split(separator: ".", omittingEmptySubsequences: false)
    return labels.count > 1
      && labels.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { $0.isLetterOrDigit || $0 == UInt8(ascii: "-") } }
  }
}
