#if canImport(SwiftUI)
import AuthenticationPresentation
import SwiftUI

/// Has assistive technology say what a model wants said. It looks each second: a countdown changes nothing else.
struct Announcer: View {
  private let announcement: @MainActor () -> Announcement?

  init(_ announcement: @escaping @MainActor () -> Announcement?) { self.announcement = announcement }

  init(model: some FlowModel) { self.init { model.announcement } }

  var body: some View {
    TimelineView(.periodic(from: .now, by: 1)) { _ in
      Color.clear.accessibilityHidden(true)
        .onChange(of: announcement(), initial: true) { _, announcement in announcement?.post() }
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
