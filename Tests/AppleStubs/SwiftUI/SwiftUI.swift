@MainActor
public protocol View {
  associatedtype Body: View
  @ViewBuilder var body: Body { get }
}

extension Never: View {
  public var body: Never { return fatalError() }
}

extension View {
  public func disabled(_ isDisabled: Bool) -> some View { self }
}

@MainActor
@resultBuilder
public enum ViewBuilder {
  public static func buildBlock<each Content: View>(_ content: repeat each Content) -> some View { EmptyView() }
  public static func buildOptional<Content: View>(_ content: Content?) -> some View { EmptyView() }
  public static func buildEither<Content: View>(first: Content) -> EmptyView { EmptyView() }
  public static func buildEither<Content: View>(second: Content) -> EmptyView { EmptyView() }
}

public struct EmptyView: View {
  public init() {}
  public var body: Never { return fatalError() }
}

public struct Text: View {
  public init(_ text: String) {}
  public var body: Never { return fatalError() }
}

public struct TextField: View {
  public init(_ title: String, text: Binding<String>) {}
  public var body: Never { return fatalError() }
}

public struct SecureField: View {
  public init(_ title: String, text: Binding<String>) {}
  public var body: Never { return fatalError() }
}

public struct Button: View {
  public init(_ title: String, action: @escaping @MainActor () -> Void) {}
  public var body: Never { return fatalError() }
}

@propertyWrapper
public struct State<Value> {
  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
  public let wrappedValue: Value
  public var projectedValue: Binding<Value> { fatalError() }
}

@dynamicMemberLookup
public struct Binding<Value> {
  public subscript<Subject>(dynamicMember keyPath: WritableKeyPath<Value, Subject>) -> Binding<Subject> {
    fatalError()
  }
}
