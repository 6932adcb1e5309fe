import AuthenticationDomain

extension FuzzTarget {
  /// Readers with a fault that is known, so that a fuzzer that finds nothing is not believed.
  static let faulty = [
    Self(name: "faulty-index") { input in
      // A length is believed, as in a TLV.
      guard input.starts(with: "len".utf8), input.count > 4 else { return }
      _ = input[4 + Int(input[3]) / 2]
    },
    Self(name: "faulty-time") { input in
      // Each opening bracket is looked for from the start again.
      let opening = input.filter { $0 == UInt8(ascii: "[") }
      var depth = 0
      for _ in opening { for byte in opening { depth &+= Int(byte) ^ depth } }
      try Finding.unless(depth != .min, "the depth is bounded")
    },
    Self(name: "faulty-words") { input in
      guard input.starts(with: "error=".utf8) else { return }
      let words = String(decoding: input.dropFirst(6), as: UTF8.self)
      try AuthenticationError(.unexpectedResponse, "The server said: \(words)").checkSilence()
    },
  ]
}
