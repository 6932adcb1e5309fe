#if canImport(SwiftUI)
import AuthenticationDomain
import AuthenticationPresentation
import AuthenticationScreens
public import AuthenticationUI
public import SwiftUI

/// A menu of the accounts of this device: it switches, adds one, and removes one. On watchOS a list of them.
///
/// ```swift
/// AccountMenu(switcher) { show("the sign-in of another account") }
/// ```
public struct AccountMenu: View {
  private let model: AccountSwitcherModel
  private let theme: SignInTheme
  private let exits: ScreenExits

  /// Shows the accounts.
  ///
  /// - Parameters:
  ///   - model: the accounts.
  ///   - theme: colours and fonts.
  ///   - add: shows a sign-in with the root of ``AccountRegistry/add(_:)``; nil offers none.
  public init(
    _ model: AccountSwitcherModel, theme: SignInTheme = SignInTheme(), add: (@MainActor () -> Void)? = nil
  ) {
    self.model = model
    self.theme = theme
    var exits = ScreenExits()
    exits.addAccount = add
    self.exits = exits
  }

  #if os(watchOS)
  public var body: some View { ScreenView(model.screen, exits: exits, theme: theme) }
  #else
  public var body: some View {
    Menu {
      if let sentence = model.failureSentence { Text(sentence) }
      if !isAsking { buttons }
    } label: {
      Label(model.accounts.first.map { model.label(of: $0) } ?? model.title, systemImage: "chevron.up.chevron.down")
    }
    .tint(theme.accent)
    .background(Announcer { model.announcement })
    .confirmationDialog(
      model.title, isPresented: Binding(get: { isAsking }, set: { if !$0 { model.keep() } }),
      titleVisibility: .visible
    ) {
      buttons
    } message: {
      ForEach(model.explanations, id: \.self) { Text($0) }
    }
  }

  private var isAsking: Bool { if case .confirming = model.state { true } else { false } }

  private var buttons: some View {
    ForEach(model.screen.parts(exits)) { part in
      if case .button(let slot) = part.content {
        Button(role: slot.kind == .destructive ? .destructive : slot.kind == .cancel ? .cancel : nil) {
          slot.action()
        } label: {
          Text(slot.title)
          if let remark = slot.remark { Text(remark) }
        }
      }
    }
  }
  #endif
}
#endif
