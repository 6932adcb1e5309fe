#if os(Linux)
import AuthenticationDomain

extension Libsecret {
  /// Takes ownership of a reference.
  func owned(_ object: Object) -> Handle {
    let library = self
    return unsafe Handle(object) { unsafe library.unref($0) }
  }

  /// Frees the error, and keeps only its kind and number: its message is the service's.
  func cause(_ error: OpaquePointer) -> AuthenticationError.Cause {
    defer { unsafe freeError(error) }
    // A GError: domain, code, message.
    let fields = unsafe UnsafePointer<UInt32>(error)
    let domain = unsafe nameOfQuark(fields[0]).map { unsafe String(cString: $0) } ?? "GError"
    return unsafe .init(domain: domain, code: Int(Int32(bitPattern: fields[1])))
  }
}

// MARK: - What is handed over

extension Libsecret {
  func value(_ text: String) -> Handle {
    let library = self
    return unsafe Handle(newValue(text, text.utf8.count, "text/plain")!) { unsafe library.unrefValue($0) }
  }

  func table(_ values: [String: String]) -> Handle {
    let functions = unsafe tableFunctions()
    let table = unsafe table(freeing: functions.free)
    for (name, value) in values { _ = unsafe insertIntoTable(table.pointer, duplicate(name), duplicate(value)) }
    return table
  }

  /// Every attribute is text, which is type 0.
  func schema(_ name: String, attributes: some Sequence<String>) -> Handle {
    let library = self
    let types = unsafe table(freeing: nil)
    for attribute in attributes { _ = unsafe insertIntoTable(types.pointer, duplicate(attribute), nil) }
    return unsafe Handle(newSchema(name, 0, types.pointer)!) { unsafe library.unrefSchema($0) }
  }

  private func table(freeing free: OpaquePointer?) -> Handle {
    let library = self
    let functions = unsafe tableFunctions()
    return unsafe Handle(newTable(functions.hash, functions.equal, functions.free, free)!) {
      unsafe library.unrefTable($0)
    }
  }
}
#endif
