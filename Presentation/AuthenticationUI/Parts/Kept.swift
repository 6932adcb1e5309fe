/// Keeps a value that a view makes once, although the view itself is made anew each time.
@MainActor
package final class Kept<Value> {
  private var value: Value?

  package init() {}

  package func value(_ make: () -> Value) -> Value {
    if let value { return value }
    let value = make()
    self.value = value
    return value
  }
}
