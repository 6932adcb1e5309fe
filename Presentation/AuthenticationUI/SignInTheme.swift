#if canImport(SwiftUI)
public import AuthenticationScreens
public import SwiftUI

/// How the flows look: colours, measures, and the views that each page is made of. A colour that is not set follows the
/// system, in light and in dark, or is the library's; the views keep everything else.
///
/// ```swift
/// let theme = SignInTheme(
///   accent: .indigo, header: { AnyView(Text("Acme")) },
///   button: { slot in AnyView(Button(slot.title) { slot.action() }) })
/// SignInView(model, theme: theme) { session in ContentView(session) }
/// ```
public struct SignInTheme: Sendable {
  package let accent: Color
  let failure: Color
  let spacing: CGFloat
  let width: CGFloat
  let header: @MainActor () -> AnyView
  let heading: @MainActor (String) -> AnyView
  let message: @MainActor (String) -> AnyView
  let text: @MainActor (String) -> AnyView
  let field: @MainActor (FieldSlot) -> AnyView
  let slot: @MainActor (ButtonSlot) -> AnyView
  let activity: @MainActor (String?) -> AnyView
  let qrCode: @MainActor (String) -> AnyView
  let footer: @MainActor () -> AnyView

  /// By default the system's colours, and the library's views.
  ///
  /// - Parameters:
  ///   - accent: the colour of buttons and links.
  ///   - failure: the colour of a failure, which always has a text; the text's colour where the user
  ///     has asked for more contrast.
  ///   - spacing: between two parts, in points.
  ///   - width: the widest a flow gets, in points.
  ///   - header: above the heading: by default nothing.
  ///   - heading: the heading of a step.
  ///   - message: the failure, with a symbol: no colour shows it alone.
  ///   - text: a sentence that explains a step.
  ///   - field: an input of a form.
  ///   - button: a button of any kind.
  ///   - activity: the view while the user can only wait.
  ///   - qrCode: a QR code that holds this text.
  ///   - footer: below everything: by default nothing.
  public init(
    accent: Color = .accentColor, failure: Color = .red, spacing: CGFloat = 16, width: CGFloat = 420,
    header: @escaping @MainActor () -> AnyView = { AnyView(EmptyView()) },
    heading: @escaping @MainActor (String) -> AnyView = { AnyView(Text($0).font(.title)) },
    message: @escaping @MainActor (String) -> AnyView = {
      AnyView(Label($0, systemImage: "exclamationmark.circle"))
    },
    text: @escaping @MainActor (String) -> AnyView = { AnyView(Text($0)) },
    field: (@MainActor (FieldSlot) -> AnyView)? = nil, button: (@MainActor (ButtonSlot) -> AnyView)? = nil,
    activity: @escaping @MainActor (String?) -> AnyView = { title in
      if let title { AnyView(ProgressView().accessibilityLabel(title)) } else { AnyView(ProgressView()) }
    },
    qrCode: (@MainActor (String) -> AnyView)? = nil,
    footer: @escaping @MainActor () -> AnyView = { AnyView(EmptyView()) }
  ) {
    self.accent = accent
    self.failure = failure
    self.spacing = spacing
    self.width = width
    self.header = header
    self.heading = heading
    self.message = message
    self.text = text
    self.field = field ?? { AnyView(EntryFieldView(slot: $0)) }
    slot = button ?? { AnyView(FlowButton(slot: $0)) }
    self.activity = activity
    self.qrCode = qrCode ?? { AnyView(QRCodeView(text: $0)) }
    self.footer = footer
  }
}
#endif
