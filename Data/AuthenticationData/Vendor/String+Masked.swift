extension String {
  /// An address or a number as it is shown to the user, for a vendor that does not mask it: the first character and the
  /// domain of an address, or the last two digits of a number.
  package var masked: String {
    guard let at = firstIndex(of: "@") else { return "•••• " + suffix(2) }
    return "\(prefix(1))•••\(self[at...])"
  }
}
