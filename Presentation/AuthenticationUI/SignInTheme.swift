#if canImport(SwiftUI)
public import SwiftUI

/// How the flows look; what is not set follows the system, in light and in dark.
///
/// ```swift
/// SignInView(model, theme: SignInTheme(accent: .indigo)) { session in ContentView(session) }
/// ```
public struct SignInTheme: Sendable {
  /// The colour of buttons and links.
  public var accent: Color
  /// The colour of what failed, beside which there is always a text; the text's own colour where the person has asked
  /// for more contrast.
  public var failure: Color
  /// The space between two parts, in points.
  public var spacing: CGFloat
  /// The widest a flow gets, in points.
  public var width: CGFloat
  /// The views that a page is made of.
  public var slots = SignInSlots()

  /// The system's colours.
  public init(accent: Color = .accentColor, failure: Color = .red, spacing: CGFloat = 16, width: CGFloat = 420) {
    self.accent = accent
    self.failure = failure
    self.spacing = spacing
    self.width = width
  }
}
#endif
