/// A value behind one reference: a copy costs one reference count, however large the value is, and a suspended frame
/// holds only a pointer.
struct Boxed<Value: Sendable>: Sendable {
  private final class Box: Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
  }

  private var box: Box

  init(_ value: Value) { box = Box(value) }

  var value: Value {
    get { box.value }
    set { box = Box(newValue) }
  }
}

extension Boxed: Equatable where Value: Equatable {
  // Not inlined: the comparison of all fields would be repeated in each place that compares two sessions.
  @inline(never)
  static func == (lhs: Self, rhs: Self) -> Bool { lhs.box === rhs.box || lhs.value == rhs.value }
}

extension Boxed: Hashable where Value: Hashable {
  func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

/// A value that keeps all its fields behind one reference, and is printed as if it held them itself.
protocol BoxedValue: CustomReflectable {
  associatedtype Contents: Sendable
  var contents: Boxed<Contents> { get }
}

extension BoxedValue {
  public var customMirror: Mirror {
    Mirror(self, children: Mirror(reflecting: contents.value).children, displayStyle: .struct)
  }
}
