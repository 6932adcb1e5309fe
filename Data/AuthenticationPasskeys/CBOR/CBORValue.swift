/// What WebAuthn needs of CBOR (RFC 8949): the values that authenticators write.
enum CBORValue: Hashable {
  case integer(Int64)
  case bytes([UInt8])
  case text(String)
  case array([CBORValue])
  case map([CBORValue: CBORValue])
  /// A Boolean, null, a floating-point number, or an integer beyond 64 bits with a sign: nothing here is read from one.
  case other

  subscript(_ key: Int64) -> CBORValue? {
    if case .map(let members) = self { members[.integer(key)] } else { nil }
  }

  subscript(_ key: String) -> CBORValue? {
    if case .map(let members) = self { members[.text(key)] } else { nil }
  }

  var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
  var bytes: [UInt8]? { if case .bytes(let value) = self { value } else { nil } }
  var text: String? { if case .text(let value) = self { value } else { nil } }
  var isMap: Bool { if case .map = self { true } else { false } }
}
