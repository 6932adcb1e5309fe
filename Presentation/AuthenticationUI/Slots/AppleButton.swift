#if canImport(SwiftUI)
import AuthenticationServices
import SwiftUI

/// Apple's own button, as its guidelines for Sign in with Apple want it: no smaller than any other, black on light and
/// white on dark, in the system's language. What it does is the model's.
struct AppleButton: View {
  let height: CGFloat
  let action: @MainActor () -> Void
  @Environment(\.colorScheme) private var scheme

  var body: some View {
    Button(action: action) {
      SignInWithAppleButton(.signIn, onRequest: { _ in }, onCompletion: { _ in })
        .signInWithAppleButtonStyle(scheme == .dark ? .white : .black)
        .id(scheme)
        .frame(minWidth: 140, maxWidth: .infinity, minHeight: height)
        .allowsHitTesting(false)
    }
    .buttonStyle(.plain)
  }
}
#endif
