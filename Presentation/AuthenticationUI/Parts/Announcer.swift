#if canImport(SwiftUI)
import AuthenticationPresentation
import SwiftUI

/// Has assistive technology say what the model wants said. It looks each second: a countdown changes nothing else.
struct Announcer<Model: FlowModel>: View {
  let model: Model

  var body: some View {
    TimelineView(.periodic(from: .now, by: 1)) { _ in
      Color.clear.accessibilityHidden(true)
        .onChange(of: model.announcement, initial: true) { _, announcement in announcement?.post() }
    }
  }
}

extension Announcement {
  fileprivate func post() {
    var said = AttributedString(text)
    said.accessibilitySpeechAnnouncementPriority = urgency == .assertive ? .high : .default
    AccessibilityNotification.Announcement(said).post()
  }
}
#endif
