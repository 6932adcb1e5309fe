#if canImport(SwiftUI)
import AuthenticationDomain
import AuthenticationScreens
import SwiftUI

/// A button as high as a finger needs, whose name stays while its work is shown.
struct FlowButton: View {
  let slot: ButtonSlot
  #if os(visionOS)
  private static let height: CGFloat = 60
  #else
  private static let height: CGFloat = 44
  #endif

  var body: some View {
    switch slot.kind {
    case .submit: plain.buttonStyle(.borderedProminent).pressedByReturn()
    case .cancel: plain.buttonStyle(.borderless).pressedByEscape()
    case .destructive: plain.buttonStyle(.bordered)
    case .other: plain.buttonStyle(.borderless)
    #if !os(watchOS)
    case .method(.apple):
      VStack(spacing: 4) {
        AppleButton(height: Self.height, action: slot.action).accessibilityValue(slot.activity ?? "")
        if let remark = slot.remark { Text(remark).font(.caption) }
      }
    #endif
    case .method: plain.buttonStyle(.bordered)
    }
  }

  private var plain: some View {
    Button(role: slot.kind == .destructive ? .destructive : nil, action: slot.action) {
      AdaptiveRow {
        VStack {
          Text(slot.title)
          if let remark = slot.remark { Text(remark).font(.caption) }
        }
        if slot.activity != nil { ProgressView() }
      }
      .frame(maxWidth: .infinity, minHeight: Self.height)
    }
    .accessibilityValue(slot.activity ?? "")
  }
}

#endif
