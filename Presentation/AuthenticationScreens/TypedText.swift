/// The text of an input, as it is now.
@MainActor
package struct TypedText {
  package let get: @MainActor () -> String
  package let set: @MainActor (String) -> Void

  package init<Model: AnyObject>(_ model: Model, _ path: ReferenceWritableKeyPath<Model, String>) {
    get = { model[keyPath: path] }
    set = { model[keyPath: path] = $0 }
  }
}
