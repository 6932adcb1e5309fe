@_exported public import Foundation
public import Observation

@MainActor
@preconcurrency
public protocol View {
  associatedtype Body: View
  /// What the view shows.
  @ViewBuilder var body: Body { get }
}

extension Never: View {
  public var body: Never { return fatalError() }
}

@MainActor
public protocol PreviewProvider {
  associatedtype Previews: View
  @ViewBuilder static var previews: Previews { get }
}

@MainActor
@resultBuilder
public enum ViewBuilder {
  public static func buildBlock<each Content: View>(_ content: repeat each Content) -> some View { EmptyView() }
  public static func buildBlock() -> EmptyView { EmptyView() }
  public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
  public static func buildOptional<Content: View>(_ content: Content?) -> some View { EmptyView() }
  public static func buildEither<Yes: View, No: View>(first: Yes) -> Conditional<Yes, No> { Conditional() }
  public static func buildEither<Yes: View, No: View>(second: No) -> Conditional<Yes, No> { Conditional() }
}

public struct Conditional<Yes: View, No: View>: View {
  public var body: Never { return fatalError() }
}

@MainActor
@propertyWrapper
public struct State<Value> {
  private let value: Value
  public init(wrappedValue: Value) { value = wrappedValue }
  public init(initialValue value: Value) { self.value = value }
  public var wrappedValue: Value {
    get { value }
    nonmutating set {}
  }
  public var projectedValue: Binding<Value> { fatalError() }
}

@MainActor
@dynamicMemberLookup
@propertyWrapper
public struct Binding<Value> {
  public init(get: @escaping @MainActor () -> Value, set: @escaping @MainActor (Value) -> Void) { fatalError() }
  public static func constant(_ value: Value) -> Binding<Value> { fatalError() }
  public var wrappedValue: Value {
    get { fatalError() }
    nonmutating set {}
  }
  public var projectedValue: Binding<Value> { self }
  public subscript<Subject>(dynamicMember keyPath: WritableKeyPath<Value, Subject>) -> Binding<Subject> {
    fatalError()
  }
}

@MainActor
@dynamicMemberLookup
@propertyWrapper
public struct Bindable<Value: AnyObject> {
  public init(_ value: Value) where Value: Observable { fatalError() }
  public var wrappedValue: Value { fatalError() }
  public subscript<Subject>(dynamicMember keyPath: ReferenceWritableKeyPath<Value, Subject>) -> Binding<Subject> {
    fatalError()
  }
}

@MainActor
@propertyWrapper
public struct FocusState<Value: Hashable> {
  public init() where Value == Bool {}
  public init<Wrapped>() where Value == Wrapped? {}
  public var wrappedValue: Value {
    get { fatalError() }
    nonmutating set {}
  }
  public var projectedValue: Binding { Binding() }

  @MainActor
  @propertyWrapper
  public struct Binding {
    public init() {}
    public var wrappedValue: Value {
      get { fatalError() }
      nonmutating set {}
    }
    public var projectedValue: Binding { self }
  }
}

@MainActor
@propertyWrapper
public struct AccessibilityFocusState<Value: Hashable> {
  public init() where Value == Bool {}
  public init<Wrapped>() where Value == Wrapped? {}
  public var wrappedValue: Value {
    get { fatalError() }
    nonmutating set {}
  }
  public var projectedValue: Binding { Binding() }

  @MainActor
  public struct Binding {}
}
