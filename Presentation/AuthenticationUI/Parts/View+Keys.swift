#if canImport(SwiftUI)
import SwiftUI

extension View {
  /// Return presses it, where there are keys.
  func pressedByReturn() -> some View {
    #if os(watchOS) || os(tvOS)
    self
    #else
    keyboardShortcut(.defaultAction)
    #endif
  }

  /// Escape presses it, where there are keys.
  func pressedByEscape() -> some View {
    #if os(watchOS) || os(tvOS)
    self
    #else
    keyboardShortcut(.cancelAction)
    #endif
  }
}
#endif
