/// A value behind one reference: to pass it on costs one count, however much it holds, and a frame that waits has room
/// for a pointer only.
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
  // Not inlined: what compares many fields would be repeated wherever two sessions are compared.
  @inline(never)
  static func == (lhs: Self, rhs: Self) -> Bool { lhs.box === rhs.box || lhs.value == rhs.value }
}

extension Boxed: Hashable where Value: Hashable {
  func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

extension Boxed {
  /// Shows what is made of it as if it held the fields itself.
  func mirror(of whole: some Any) -> Mirror {
    Mirror(whole, children: Mirror(reflecting: value).children, displayStyle: .struct)
  }
}
