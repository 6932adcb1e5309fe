#if canImport(SwiftUI) && !os(watchOS)
import AuthenticationServices
import SwiftUI
#if os(macOS)
import AppKit
import ObjectiveC
#else
import UIKit
#endif

/// Apple's own button, as its guidelines for Sign in with Apple want it: no smaller than any other, black on light and
/// white on dark, in the system's language. It is one control with one action, the model's, for a pointer, the keyboard,
/// VoiceOver and a remote. On watchOS, whose own button makes a request that is not ours, it is the button of any other
/// method.
struct AppleButton: View {
  let height: CGFloat
  let action: @MainActor () -> Void
  @Environment(\.colorScheme) private var scheme

  var body: some View {
    AppleControl(style: scheme == .dark ? .white : .black, action: action)
      .id(scheme).frame(minWidth: 140, maxWidth: .infinity, minHeight: height)
  }
}

#if os(macOS)
private struct AppleControl: NSViewRepresentable {
  let style: ASAuthorizationAppleIDButton.Style
  let action: @MainActor () -> Void

  @MainActor final class Coordinator: NSObject {
    var action: @MainActor () -> Void = {}

    @objc func press(_ sender: Any?) { action() }
  }

  func makeCoordinator() -> Coordinator { Coordinator() }

  func makeNSView(context: Context) -> ASAuthorizationAppleIDButton {
    let button = ASAuthorizationAppleIDButton(authorizationButtonType: .signIn, authorizationButtonStyle: style)
    button.target = context.coordinator
    button.action = #selector(Coordinator.press(_:))
    return button
  }

  func updateNSView(_ button: ASAuthorizationAppleIDButton, context: Context) { context.coordinator.action = action }
}
#else
private struct AppleControl: UIViewRepresentable {
  let style: ASAuthorizationAppleIDButton.Style
  let action: @MainActor () -> Void

  @MainActor final class Coordinator {
    var action: @MainActor () -> Void = {}
  }

  func makeCoordinator() -> Coordinator { Coordinator() }

  func makeUIView(context: Context) -> ASAuthorizationAppleIDButton {
    let button = ASAuthorizationAppleIDButton(authorizationButtonType: .signIn, authorizationButtonStyle: style)
    let coordinator = context.coordinator
    #if os(tvOS)
    let pressed = UIControl.Event.primaryActionTriggered
    #else
    let pressed = UIControl.Event.touchUpInside
    #endif
    button.addAction(UIAction { _ in coordinator.action() }, for: pressed)
    return button
  }

  func updateUIView(_ button: ASAuthorizationAppleIDButton, context: Context) { context.coordinator.action = action }
}
#endif
#endif
