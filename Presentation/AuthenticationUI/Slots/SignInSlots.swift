#if canImport(SwiftUI)
public import SwiftUI

/// The views that each page is made of: each can be replaced, and the rest stays. What they do is the page's.
///
/// ```swift
/// var theme = SignInTheme()
/// theme.slots.header = { AnyView(Text("Acme")) }
/// theme.slots.button = { slot in AnyView(Button(slot.title) { slot.action() }) }
/// ```
public struct SignInSlots: Sendable {
  /// Above the heading: by default nothing.
  public var header: @MainActor () -> AnyView = { AnyView(EmptyView()) }
  /// The heading of a step.
  public var heading: @MainActor (String) -> AnyView = { AnyView(Text($0).font(.title)) }
  /// What failed, with a symbol: no colour tells it alone.
  public var message: @MainActor (String) -> AnyView = {
    AnyView(Label($0, systemImage: "exclamationmark.circle"))
  }
  /// A sentence that explains a step.
  public var text: @MainActor (String) -> AnyView = { AnyView(Text($0)) }
  /// An input of a form.
  public var field: @MainActor (FieldSlot) -> AnyView = { AnyView(EntryFieldView(slot: $0)) }
  /// A button of any kind.
  public var button: @MainActor (ButtonSlot) -> AnyView = { AnyView(FlowButton(slot: $0)) }
  /// What is shown while nothing can be done but wait.
  public var activity: @MainActor (String?) -> AnyView = { title in
    AnyView(ProgressView().accessibilityLabel(title ?? ""))
  }
  /// A QR code that holds this text.
  public var qrCode: @MainActor (String) -> AnyView = { AnyView(QRCodeView($0)) }
  /// Below everything: by default nothing.
  public var footer: @MainActor () -> AnyView = { AnyView(EmptyView()) }

  /// The library's views.
  public init() {}
}
#endif
