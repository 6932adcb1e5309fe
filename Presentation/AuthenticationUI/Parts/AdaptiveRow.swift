#if canImport(SwiftUI)
import SwiftUI

/// Side by side, or one below the other where the person reads large text.
struct AdaptiveRow<Parts: View>: View {
  @ViewBuilder let parts: Parts
  @Environment(\.dynamicTypeSize) private var size

  var body: some View {
    let layout = size.isAccessibilitySize ? AnyLayout(VStackLayout(alignment: .leading)) : AnyLayout(HStackLayout())
    layout { parts }
  }
}

/// Seconds that count down, which assistive technology reads only when asked.
struct Countdown: View {
  let sentence: (Int) -> String
  let seconds: () -> Int?

  var body: some View {
    TimelineView(.periodic(from: .now, by: 1)) { _ in
      if let seconds = seconds(), seconds > 0 {
        Text(sentence(seconds)).font(.callout).accessibilityAddTraits(.updatesFrequently)
      }
    }
  }
}
#endif
