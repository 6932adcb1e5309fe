public struct EmptyView: View {
  public init() {}
  public var body: Never { return fatalError() }
}

public struct Text: View {
  public init(_ text: String) {}
  public var body: Never { return fatalError() }
  public func font(_ font: Font?) -> Text { self }
  public func speechSpellsOutCharacters(_ value: Bool = true) -> Text { self }
}

public struct TextField: View {
  public init(_ title: String, text: Binding<String>) {}
  public var body: Never { return fatalError() }
}

public struct SecureField: View {
  public init(_ title: String, text: Binding<String>) {}
  public var body: Never { return fatalError() }
}

public struct ButtonRole: Sendable {
  public static let destructive = ButtonRole()
}

public struct Button<Label: View>: View {
  public init(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {}
  public init(role: ButtonRole?, action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {}
  public var body: Never { return fatalError() }
}

extension Button where Label == Text {
  public init(_ title: String, action: @escaping @MainActor () -> Void) {}
  public init(_ title: String, role: ButtonRole?, action: @escaping @MainActor () -> Void) {}
}

public struct Label: View {
  public init(_ title: String, systemImage: String) {}
  public var body: Never { return fatalError() }
}

public struct ProgressView: View {
  public init() {}
  public var body: Never { return fatalError() }
}

public struct Group<Content: View>: View {
  public init(@ViewBuilder content: () -> Content) {}
  public var body: Never { return fatalError() }
}

public struct HorizontalAlignment: Sendable {
  public static let leading = HorizontalAlignment()
}

public struct VStack<Content: View>: View {
  public init(alignment: HorizontalAlignment? = nil, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content) {}
  public var body: Never { return fatalError() }
}

public struct HStack<Content: View>: View {
  public init(spacing: CGFloat? = nil, @ViewBuilder content: () -> Content) {}
  public var body: Never { return fatalError() }
}

public struct ZStack<Content: View>: View {
  public init(@ViewBuilder content: () -> Content) {}
  public var body: Never { return fatalError() }
}

public struct ScrollView<Content: View>: View {
  public init(@ViewBuilder content: () -> Content) {}
  public var body: Never { return fatalError() }
}

public struct ForEach<Items: RandomAccessCollection, ID: Hashable, Content: View>: View {
  public init(
    _ items: Items, id: KeyPath<Items.Element, ID>, @ViewBuilder content: @escaping (Items.Element) -> Content
  ) {}
  public var body: Never { return fatalError() }
}

extension ForEach where Items.Element: Identifiable, ID == Items.Element.ID {
  public init(_ items: Items, @ViewBuilder content: @escaping (Items.Element) -> Content) {}
}

public struct PeriodicTimelineSchedule: Sendable {}

public struct TimelineView<Schedule, Content: View>: View {
  public struct Context {}
  public init(_ schedule: Schedule, @ViewBuilder content: @escaping (Context) -> Content)
  where Schedule == PeriodicTimelineSchedule {}
  public var body: Never { return fatalError() }
}

extension PeriodicTimelineSchedule {
  public static func periodic(from start: Date, by interval: TimeInterval) -> PeriodicTimelineSchedule { Self() }
}
