public struct Color: Sendable {
  public static let accentColor = Color()
  public static let red = Color()
  public static let indigo = Color()
}

public struct Font: Sendable {
  public static let title = Font()
  public static let title2 = Font()
  public static let largeTitle = Font()
  public static let headline = Font()
  public static let body = Font()
  public static let callout = Font()
  public static let caption = Font()
  public func monospaced() -> Font { self }
}

public struct Alignment: Sendable {
  public static let center = Alignment()
}

public enum LayoutDirection: Sendable { case leftToRight, rightToLeft }

public struct EnvironmentValues {
  public var layoutDirection: LayoutDirection
}

public struct AccessibilityTraits: Sendable {
  public static let isHeader = AccessibilityTraits()
  public static let updatesFrequently = AccessibilityTraits()
}

public enum AccessibilityNotification {
  public struct Announcement {
    public init(_ text: String) {}
    public func post() {}
  }
}

public struct SubmitLabel: Sendable {
  public static let go = SubmitLabel()
  public static let next = SubmitLabel()
}

public struct BorderedButtonStyle: Sendable {}
public struct BorderedProminentButtonStyle: Sendable {}

public protocol ButtonStyleStandIn {}
extension BorderedButtonStyle: ButtonStyleStandIn {}
extension BorderedProminentButtonStyle: ButtonStyleStandIn {}
extension ButtonStyleStandIn where Self == BorderedButtonStyle {
  public static var bordered: Self { Self() }
}
extension ButtonStyleStandIn where Self == BorderedProminentButtonStyle {
  public static var borderedProminent: Self { Self() }
}

public struct KeyboardShortcut: Sendable {
  public static let defaultAction = KeyboardShortcut()
}

extension View {
  public func accessibilityAddTraits(_ traits: AccessibilityTraits) -> some View { self }
  public func accessibilityFocused<Value: Hashable>(
    _ binding: AccessibilityFocusState<Value>.Binding, equals value: Value
  ) -> some View { self }
  public func accessibilityHidden(_ isHidden: Bool) -> some View { self }
  public func accessibilityLabel(_ label: String) -> some View { self }
  public func accessibilityValue(_ value: String) -> some View { self }
  public func autocorrectionDisabled(_ isDisabled: Bool = true) -> some View { self }
  public func buttonStyle(_ style: some ButtonStyleStandIn) -> some View { self }
  public func disabled(_ isDisabled: Bool) -> some View { self }
  public func environment<Value>(_ keyPath: WritableKeyPath<EnvironmentValues, Value>, _ value: Value) -> some View {
    self
  }
  public func focused<Value: Hashable>(_ binding: FocusState<Value>.Binding, equals value: Value) -> some View { self }
  public func focused(_ condition: FocusState<Bool>.Binding) -> some View { self }
  public func font(_ font: Font?) -> some View { self }
  public func foregroundStyle(_ style: Color) -> some View { self }
  public func frame(
    minWidth: CGFloat? = nil, idealWidth: CGFloat? = nil, maxWidth: CGFloat? = nil, minHeight: CGFloat? = nil,
    idealHeight: CGFloat? = nil, maxHeight: CGFloat? = nil, alignment: Alignment = .center
  ) -> some View { self }
  public func keyboardShortcut(_ shortcut: KeyboardShortcut) -> some View { self }
  public func onChange<Value: Equatable>(
    of value: Value, initial: Bool = false, _ action: @escaping @MainActor (_ old: Value, _ new: Value) -> Void
  ) -> some View { self }
  public func onDisappear(perform action: (@MainActor () -> Void)? = nil) -> some View { self }
  public func onSubmit(_ action: @escaping @MainActor () -> Void) -> some View { self }
  public func opacity(_ opacity: Double) -> some View { self }
  public func padding() -> some View { self }
  public func submitLabel(_ label: SubmitLabel) -> some View { self }
  public func task(_ action: @escaping @MainActor @Sendable () async -> Void) -> some View { self }
  public func tint(_ tint: Color?) -> some View { self }
}
