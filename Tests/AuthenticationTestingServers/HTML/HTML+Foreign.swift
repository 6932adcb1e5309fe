extension HTML {
  /// A text that came from a user or a server: short enough to be looked at, and apart from the direction of the text
  /// around it.
  package static func foreign(_ text: String, limit: Int = 120) -> HTML {
    let kept = text.unicodeScalars.prefix(limit * 4).filter {
      !$0.isDirectionMark && $0 != "\u{200B}" && $0 != "\u{FEFF}"
    }
    let readable = String(String.UnicodeScalarView(kept))
    return HTML("bdi") { readable.count > limit ? readable.prefix(limit) + "…" : readable }
  }
}

extension Unicode.Scalar {
  /// UAX #9: marks, embeddings, overrides, isolates.
  fileprivate var isDirectionMark: Bool {
    switch value {
    case 0x061C, 0x200E...0x200F, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
