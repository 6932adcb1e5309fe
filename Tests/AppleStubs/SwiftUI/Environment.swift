public enum ColorScheme: Sendable { case light, dark }
public enum ColorSchemeContrast: Sendable { case standard, increased }
public enum LayoutDirection: Sendable { case leftToRight, rightToLeft }

public enum DynamicTypeSize: Sendable {
  case large, accessibility1, accessibility5
  public var isAccessibilitySize: Bool { self != .large }
}

@MainActor
public struct OpenURLAction {
  public func callAsFunction(_ url: URL) {}
}

public struct EnvironmentValues {
  public var layoutDirection: LayoutDirection
  public var locale: Locale
  public var accessibilityReduceMotion: Bool { false }
  public var colorScheme: ColorScheme
  public var colorSchemeContrast: ColorSchemeContrast { .standard }
  public var dynamicTypeSize: DynamicTypeSize
  public var openURL: OpenURLAction
}

@MainActor
@propertyWrapper
public struct Environment<Value> {
  public init(_ keyPath: KeyPath<EnvironmentValues, Value>) {}
  public var wrappedValue: Value { fatalError() }
}
