#if canImport(SwiftUI)
import Accessibility
import AuthenticationDomain
package import AuthenticationPresentation
public import AuthenticationScreens
public import SwiftUI
#if os(watchOS)
import WatchKit
#endif

/// Draws a screen, and begins its automatic action.
///
/// ```swift
/// SignInView(root.makeViewModel()) { session in ScreenView(session.screen) }
/// ```
public struct ScreenView: View {
  private let screen: Screen
  private let exits: ScreenExits?
  private let theme: SignInTheme

  @Environment(\.openURL) private var openURL

  /// Draws a screen.
  ///
  /// - Parameters:
  ///   - screen: the screen; while another one is shown in its place, that one.
  ///   - theme: colours and fonts.
  public init(_ screen: Screen, theme: SignInTheme = SignInTheme()) {
    self.init(screen, exits: nil, theme: theme)
  }

  /// - Parameter exits: where the screen leads; nil for where it says.
  package init(_ screen: Screen, exits: ScreenExits?, theme: SignInTheme) {
    self.screen = screen
    self.exits = exits
    self.theme = theme
  }

  public var body: some View {
    let shown = screen.shown
    ScreenPage(screen: shown, exits: allExits, theme: theme).task { shown.didAppear() }
      .id(ObjectIdentifier(shown.model))
  }

  private var allExits: ScreenExits {
    let own = exits ?? screen.exits
    #if os(iOS)
    guard let mail = URL(string: "message://") else { return own }
    var exits = own
    exits.mail = { openURL(mail) }
    return exits
    #else
    return own
    #endif
  }
}

/// The parts of a screen in the order in which they are read, scrolled where the text is large.
private struct ScreenPage: View {
  let screen: Screen
  let exits: ScreenExits
  let theme: SignInTheme
  @FocusState private var focused: String?
  @AccessibilityFocusState private var place: FlowPlace?
  @Environment(\.accessibilityReduceMotion) private var reducesMotion
  @Environment(\.colorSchemeContrast) private var contrast

  var body: some View {
    let model = screen.model
    let parts = screen.page(exits)
    ScrollView {
      VStack(alignment: .leading, spacing: theme.spacing) {
        theme.header()
        ForEach(parts) { part in
          switch part.content {
          case .title(let title):
            theme.heading(title).accessibilityAddTraits(.isHeader).accessibilityFocused($place, equals: .heading)
          case .message(let sentence):
            theme.message(sentence).foregroundStyle(contrast == .increased ? .primary : theme.failure)
              .accessibilityFocused($place, equals: .message)
          default:
            PartView(part: part, words: model.words, theme: theme, focused: $focused)
              .submitLabel(part.input == parts.inputs.last ? .go : .next).onSubmit { advance(from: part, of: parts) }
          }
        }
        theme.footer()
      }
      .padding().frame(maxWidth: theme.width).frame(maxWidth: .infinity)
    }
    .background(Announcer { model.announcement })
    .animation(reducesMotion ? nil : .default, value: model.title)
    .tint(theme.accent)
    .environment(\.layoutDirection, model.words.language.isRightToLeft ? .rightToLeft : .leftToRight)
    .environment(\.locale, Locale(identifier: model.words.language.tag))
    .onChange(of: model.focus, initial: true) { _, focus in
      switch focus {
      case .heading: place = .heading
      case .message: place = .message
      case .field(let id, _): focused = id
      case nil: break
      }
    }
    // The keyboard of this page is not the next one's.
    .onDisappear { focused = nil }
  }

  /// Return moves on, and submits at the end.
  private func advance(from part: ScreenPart, of parts: [ScreenPart]) {
    let after = parts.inputs.drop { $0 != part.input }.dropFirst()
    if let next = after.first { focused = next } else { parts.submit?.action() }
  }
}

/// A place that assistive technology is led to.
enum FlowPlace: Hashable { case heading, message }

/// Side by side, or one below the other where the user reads large text.
struct AdaptiveRow<Parts: View>: View {
  @ViewBuilder let parts: Parts
  @Environment(\.dynamicTypeSize) private var size

  var body: some View {
    let layout = size.isAccessibilitySize ? AnyLayout(VStackLayout(alignment: .leading)) : AnyLayout(HStackLayout())
    layout { parts }
  }
}

/// Which keys a field needs, where the system shows some.
private enum Keyboard { case phone, address, digits }

extension View {
  /// The system's suggestions, and the keyboard.
  @ViewBuilder
  func entry(_ need: SignInMethod.Need) -> some View {
    switch need.id {
    case SignInMethod.Need.phoneNumber.id:
      textContentType(.telephoneNumber).keyboard(.phone).autocorrectionDisabled()
    case SignInMethod.Need.emailAddress.id, SignInMethod.Need.userName.id:
      textContentType(.username).keyboard(.address).capitalized(words: false).autocorrectionDisabled()
    case "given_name": textContentType(.givenName).capitalized(words: true).autocorrectionDisabled()
    case "family_name": textContentType(.familyName).capitalized(words: true).autocorrectionDisabled()
    default: autocorrectionDisabled()
    }
  }

  func secret(isNew: Bool) -> some View {
    textContentType(isNew ? .newPassword : .password).capitalized(words: false).autocorrectionDisabled()
  }

  /// One field, with any drawing: codes are filled in by the system.
  func code() -> some View { textContentType(.oneTimeCode).keyboard(.digits).autocorrectionDisabled() }

  private func keyboard(_ keyboard: Keyboard) -> some View {
    #if os(macOS) || os(watchOS)
    self
    #else
    keyboardType(keyboard == .phone ? .phonePad : keyboard == .address ? .emailAddress : .numberPad)
    #endif
  }

  private func capitalized(words: Bool) -> some View {
    #if os(macOS)
    self
    #else
    textInputAutocapitalization(words ? .words : .never)
    #endif
  }

  /// With a border, where the system has such fields.
  func bordered() -> some View {
    #if os(tvOS) || os(watchOS)
    self
    #else
    textFieldStyle(.roundedBorder)
    #endif
  }

  /// Codes, numbers and addresses are read from left to right in every language.
  func leftToRight() -> some View { environment(\.layoutDirection, .leftToRight) }

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

/// Posts the announcement of a model. It looks each second: a countdown changes nothing else.
package struct Announcer: View {
  private let announcement: @MainActor () -> Announcement?

  package init(_ announcement: @escaping @MainActor () -> Announcement?) { self.announcement = announcement }

  package var body: some View {
    TimelineView(.periodic(from: .now, by: 1)) { _ in
      Color.clear.accessibilityHidden(true)
        .onChange(of: announcement(), initial: true) { _, announcement in announcement?.post() }
    }
  }
}

extension Announcement {
  fileprivate func post() {
    var said = AttributedString(text)
    said.accessibilitySpeechAnnouncementPriority = isAssertive ? .high : .default
    AccessibilityNotification.Announcement(said).post()
  }
}
#endif
