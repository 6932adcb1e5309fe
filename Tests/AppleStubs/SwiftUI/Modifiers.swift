public struct Color: View, Sendable {
  public nonisolated init() {}
  public nonisolated static let accentColor = Color()
  public nonisolated static let clear = Color()
  public nonisolated static let indigo = Color()
  public nonisolated static let primary = Color()
  public nonisolated static let red = Color()
  public nonisolated static let white = Color()
  public var body: Never { return fatalError() }
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

public struct AccessibilityTraits: Sendable {
  public static let isHeader = AccessibilityTraits()
  public static let isImage = AccessibilityTraits()
  public static let updatesFrequently = AccessibilityTraits()
}

public enum AccessibilityNotification {
  public struct Announcement {
    public init(_ text: AttributedString) {}
    public func post() {}
  }
}

public struct SubmitLabel: Sendable {
  public static let go = SubmitLabel()
  public static let next = SubmitLabel()
}

public enum AnnouncementPriority: Sendable { case low, `default`, high }

extension AttributedString {
  public var accessibilitySpeechAnnouncementPriority: AnnouncementPriority? {
    get { nil }
    set {}
  }
}

public struct Animation: Sendable {
  public static let `default` = Animation()
}

public struct AccessibilityChildBehavior: Sendable {
  public static let ignore = AccessibilityChildBehavior()
}

public struct RoundedBorderTextFieldStyle: Sendable {
  public static let roundedBorder = RoundedBorderTextFieldStyle()
}

public struct BorderedButtonStyle: Sendable {}
public struct BorderedProminentButtonStyle: Sendable {}
public struct BorderlessButtonStyle: Sendable {}
public struct PlainButtonStyle: Sendable {}

public protocol ButtonStyleStandIn {}
extension BorderedButtonStyle: ButtonStyleStandIn {}
extension BorderedProminentButtonStyle: ButtonStyleStandIn {}
extension BorderlessButtonStyle: ButtonStyleStandIn {}
extension PlainButtonStyle: ButtonStyleStandIn {}
extension ButtonStyleStandIn where Self == BorderedButtonStyle {
  public static var bordered: Self { Self() }
}
extension ButtonStyleStandIn where Self == BorderedProminentButtonStyle {
  public static var borderedProminent: Self { Self() }
}

extension ButtonStyleStandIn where Self == BorderlessButtonStyle {
  public static var borderless: Self { Self() }
}
extension ButtonStyleStandIn where Self == PlainButtonStyle {
  public static var plain: Self { Self() }
}

public struct KeyboardShortcut: Sendable {
  public static let cancelAction = KeyboardShortcut()
  public static let defaultAction = KeyboardShortcut()
}

extension View {
  public func accessibilityAddTraits(_ traits: AccessibilityTraits) -> some View { self }
  public func accessibilityFocused<Value: Hashable>(
    _ binding: AccessibilityFocusState<Value>.Binding, equals value: Value
  ) -> some View { self }
  public func accessibilityElement(children: AccessibilityChildBehavior = .ignore) -> some View { self }
  public func accessibilityHint(_ hint: String) -> some View { self }
  public func accessibilityHidden(_ isHidden: Bool) -> some View { self }
  public func accessibilityLabel(_ label: String) -> some View { self }
  public func accessibilityValue(_ value: String) -> some View { self }
  public func allowsHitTesting(_ isEnabled: Bool) -> some View { self }
  public func animation(_ animation: Animation?, value: some Equatable) -> some View { self }
  public func aspectRatio(_ ratio: CGFloat? = nil, contentMode: ContentMode) -> some View { self }
  public func autocorrectionDisabled(_ isDisabled: Bool = true) -> some View { self }
  public func background(_ background: some View) -> some View { self }
  public func buttonStyle(_ style: some ButtonStyleStandIn) -> some View { self }
  public func disabled(_ isDisabled: Bool) -> some View { self }
  public func dynamicTypeSize(_ size: DynamicTypeSize) -> some View { self }
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
  public func id(_ id: some Hashable) -> some View { self }
  public func keyboardShortcut(_ shortcut: KeyboardShortcut) -> some View { self }
  public func onChange<Value: Equatable>(
    of value: Value, initial: Bool = false, _ action: @escaping @MainActor (_ old: Value, _ new: Value) -> Void
  ) -> some View { self }
  public func onDisappear(perform action: (@MainActor () -> Void)? = nil) -> some View { self }
  public func onSubmit(_ action: @escaping @MainActor () -> Void) -> some View { self }
  public func opacity(_ opacity: Double) -> some View { self }
  public func padding() -> some View { self }
  public func padding(_ length: CGFloat) -> some View { self }
  public func preferredColorScheme(_ scheme: ColorScheme?) -> some View { self }
  public func previewDisplayName(_ name: String?) -> some View { self }
  public func submitLabel(_ label: SubmitLabel) -> some View { self }
  public func task(_ action: @escaping @MainActor @Sendable () async -> Void) -> some View { self }
  public func textFieldStyle(_ style: RoundedBorderTextFieldStyle) -> some View { self }
  public func tint(_ tint: Color?) -> some View { self }
}
