#if canImport(SwiftUI)
import AuthenticationPresentation
import SwiftUI

/// The frame of a step: its heading, what failed, and its parts, scrolled where the text is large.
struct FlowPage<Model: FlowModel, Parts: View>: View {
  let model: Model
  let title: String
  let theme: SignInTheme
  @ViewBuilder let parts: Parts
  @AccessibilityFocusState private var place: FlowPlace?

  var body: some View {
    ScrollView {
      VStack(alignment: .leading, spacing: theme.spacing) {
        Text(title).font(.title).accessibilityAddTraits(.isHeader).accessibilityFocused($place, equals: .heading)
        if let sentence = model.failureSentence {
          Label(sentence, systemImage: "exclamationmark.circle").foregroundStyle(theme.failure)
            .accessibilityFocused($place, equals: .message)
        }
        parts
      }
      .padding().frame(maxWidth: theme.width)
    }
    .tint(theme.accent)
    .environment(\.layoutDirection, model.words.language.isRightToLeft ? .rightToLeft : .leftToRight)
    .onChange(of: model.focus, initial: true) { _, focus in
      switch focus?.target {
      case .heading: place = .heading
      case .message: place = .message
      case .field, nil: break
      }
    }
    .onChange(of: model.announcement, initial: true) { _, announcement in
      if let announcement { AccessibilityNotification.Announcement(announcement.text).post() }
    }
  }
}

/// A place that assistive technology is led to.
enum FlowPlace: Hashable { case heading, message }
#endif
