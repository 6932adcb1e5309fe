import Foundation

/// An archive of `NSKeyedArchiver`, read by names of keys alone: no class is looked up, and none is made.
struct KeyedArchive: Sendable {
  private let list: BinaryPropertyList
  private let objects: [Int]
  /// The archived object.
  let root: Object

  init(_ data: Data) throws(MalformedArchive) {
    list = try BinaryPropertyList(data)
    let outermost = Object(list: list, objects: [], value: try list.value(list.top))
    guard case .array(let objects)? = try outermost.raw("$objects"), let top = try outermost.raw("$top"),
      try outermost.raw("$archiver") == .text("NSKeyedArchiver")
    else { throw MalformedArchive() }
    self.objects = objects
    guard case .dictionary(_, let values) = top, let number = values.first, values.count == 1 else {
      throw MalformedArchive()
    }
    let archive = Object(list: list, objects: objects, value: .null)
    guard let root = try archive.resolved(try list.value(number)) else { throw MalformedArchive() }
    self.root = root
  }

  /// One archived object.
  struct Object: Sendable {
    fileprivate let list: BinaryPropertyList
    fileprivate let objects: [Int]
    fileprivate let value: BinaryPropertyList.Value

    /// The object of a key; nil if there is none.
    func object(_ key: String) throws(MalformedArchive) -> Object? {
      guard let found = try raw(key) else { return nil }
      return try resolved(found)
    }

    /// A text that is not empty; nil if there is none. Anything else under that key was not expected.
    func text(_ key: String) throws(MalformedArchive) -> String? {
      guard let object = try object(key) else { return nil }
      if case .text(let text) = object.value { return text.isEmpty ? nil : text }
      guard case .text(let text)? = try object.raw("NS.string") else { throw MalformedArchive() }
      return text.isEmpty ? nil : text
    }

    /// A date (UTC).
    func date(_ key: String) throws(MalformedArchive) -> Date? {
      guard let object = try object(key) else { return nil }
      switch object.value {
      case .date(let seconds): return Date(timeIntervalSinceReferenceDate: seconds)
      default:
        guard case .real(let seconds)? = try object.raw("NS.time") else { throw MalformedArchive() }
        return Date(timeIntervalSinceReferenceDate: seconds)
      }
    }

    /// A truth value; false if there is none.
    func flag(_ key: String) throws(MalformedArchive) -> Bool {
      switch try object(key)?.value {
      case nil: return false
      case .flag(let flag)?: return flag
      case .integer(let number)?: return number != 0
      default: throw MalformedArchive()
      }
    }

    /// The text of an absolute URL.
    func url(_ key: String) throws(MalformedArchive) -> String? { try object(key)?.text("NS.relative") }

    fileprivate func raw(_ key: String) throws(MalformedArchive) -> BinaryPropertyList.Value? {
      guard case .dictionary(let keys, let values) = value else { throw MalformedArchive() }
      for (name, number) in zip(keys, values) {
        if try list.isText(name, key) { return try list.value(number) }
      }
      return nil
    }

    /// Follows one reference; nil for the one that stands for nothing.
    fileprivate func resolved(_ found: BinaryPropertyList.Value) throws(MalformedArchive) -> Object? {
      guard case .reference(let index) = found else { return Object(list: list, objects: objects, value: found) }
      guard objects.indices.contains(index) else { throw MalformedArchive() }
      if index == 0 { return nil }
      let value = try list.value(objects[index])
      // An archive refers from objects, never from the list of them.
      if case .reference = value { throw MalformedArchive() }
      return Object(list: list, objects: objects, value: value)
    }
  }
}
