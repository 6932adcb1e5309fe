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

extension Boxed {
  /// A mirror of `whole` that shows the value's fields as if `whole` held them itself.
  func mirror(of whole: some Any) -> Mirror {
    Mirror(whole, children: Mirror(reflecting: value).children, displayStyle: .struct)
  }
}
