@_exported public import CoreImage

public protocol Layout {}

public struct VStackLayout: Layout {
  public init(alignment: HorizontalAlignment = .leading) {}
}

public struct HStackLayout: Layout {
  public init() {}
}

@MainActor
public struct AnyLayout {
  public init(_ layout: some Layout) {}
  public func callAsFunction<Content: View>(@ViewBuilder _ content: () -> Content) -> some View { EmptyView() }
}

public struct AnyView: View {
  public init(_ view: some View) {}
  public var body: Never { return fatalError() }
}

public struct Image: View {
  public enum Interpolation: Sendable { case none }
  public init(decorative image: CGImage, scale: CGFloat) {}
  public func interpolation(_ interpolation: Interpolation) -> Image { self }
  public func resizable() -> Image { self }
  public var body: Never { return fatalError() }
}

public enum ContentMode: Sendable { case fit }
