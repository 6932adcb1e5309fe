#if canImport(SwiftUI)
import AuthenticationDomain
public import AuthenticationPresentation
public import SwiftUI

/// Shows a session, and signs out.
public struct SessionView: View {
  private let model: SessionModel
  private let theme: SignInTheme

  /// Shows the session of a model.
  public init(_ model: SessionModel, theme: SignInTheme = SignInTheme()) {
    self.model = model
    self.theme = theme
  }

  public var body: some View { FlowView(model, theme: theme) }
}

/// Tells that the user is offline, and nothing while they are not.
public struct OfflineBanner: View {
  private let model: OfflineModel
  private let theme: SignInTheme

  /// Shows a connection.
  public init(_ model: OfflineModel, theme: SignInTheme = SignInTheme()) {
    self.model = model
    self.theme = theme
  }

  public var body: some View {
    if model.state != .online {
      AdaptiveRow {
        ForEach(model.page(ScreenExits())) { PartView(part: $0, words: model.words, theme: theme) }
      }
      .background(Announcer { model.announcement })
    }
  }
}

/// A menu of the accounts of this device: it switches, adds one, and removes one. On watchOS a list of them.
///
/// ```swift
/// let menu = AccountSwitcherModel(accounts, in: flows) { account in
///   if let account { show(account.user) }
/// }
/// AccountMenu(menu) { Task { show(try await accounts.add().makeViewModel()) } }
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
  ///   - add: shows a sign-in with the root of ``AuthenticationKit/AccountRegistry/add(_:)``; nil offers none.
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
  public var body: some View { FlowView(model, exits: exits, theme: theme) }
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
    ForEach(model.parts(exits)) { part in
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
