#if canImport(SwiftUI)
import AuthenticationPresentation
import SwiftUI

/// The frame of a step: its heading, what failed, and its parts in the order in which they are read, scrolled where the
/// text is large.
struct FlowPage<Model: FlowModel, Parts: View>: View {
  let model: Model
  let theme: SignInTheme
  @ViewBuilder let parts: Parts
  @AccessibilityFocusState private var place: FlowPlace?
  @Environment(\.accessibilityReduceMotion) private var reducesMotion
  @Environment(\.colorSchemeContrast) private var contrast

  var body: some View {
    ScrollView {
      VStack(alignment: .leading, spacing: theme.spacing) {
        theme.slots.header()
        theme.slots.heading(model.title).accessibilityAddTraits(.isHeader)
          .accessibilityFocused($place, equals: .heading)
        if let sentence = model.failureSentence {
          theme.slots.message(sentence).foregroundStyle(contrast == .increased ? .primary : theme.failure)
            .accessibilityFocused($place, equals: .message)
        }
        parts
        theme.slots.footer()
      }
      .padding().frame(maxWidth: theme.width).frame(maxWidth: .infinity)
    }
    .background(Announcer(model: model))
    .animation(reducesMotion ? nil : .default, value: model.title)
    .tint(theme.accent)
    .environment(\.layoutDirection, model.words.language.isRightToLeft ? .rightToLeft : .leftToRight)
    .environment(\.locale, Locale(identifier: model.words.language.tag))
    .onChange(of: model.focus, initial: true) { _, focus in
      switch focus?.target {
      case .heading: place = .heading
      case .message: place = .message
      case .field, nil: break
      }
    }
  }
}

/// A place that assistive technology is led to.
enum FlowPlace: Hashable { case heading, message }
#endif
