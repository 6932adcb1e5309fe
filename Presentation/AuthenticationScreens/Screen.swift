package import AuthenticationPresentation

/// A screen as a value: its parts in the order in which they are read, and where it leads.
///
/// A view draws these parts, and between an app's header and footer nothing else: a test reads each state as text.
///
/// ```swift
/// SignInView(root.makeViewModel()) { session in ScreenView(session.screen) }
/// ```
@MainActor
public struct Screen {
  /// The model whose state the parts show.
  package let model: FlowModel
  /// Whether it has a heading, and is no part of another page.
  private let isPage: Bool
  /// Begins the automatic action of the screen once it is shown.
  package let didAppear: @MainActor () -> Void
  private let makeExits: @MainActor () -> ScreenExits
  private let nested: @MainActor () -> Screen?
  private let makeParts: @MainActor (ScreenExits) -> [ScreenPart]

  /// - Parameters:
  ///   - model: the model whose state is shown.
  ///   - isPage: whether it has a heading.
  ///   - exits: where the screen leads.
  ///   - nested: the screen of another flow that is shown in place of this one; nil while none is.
  ///   - didAppear: begins the automatic action of the screen.
  ///   - parts: the parts below the heading and its explanations.
  package init(
    of model: FlowModel, isPage: Bool = true, exits: @escaping @MainActor () -> ScreenExits = { ScreenExits() },
    nested: @escaping @MainActor () -> Screen? = { nil }, didAppear: @escaping @MainActor () -> Void = {},
    parts: @escaping @MainActor (ScreenExits) -> [ScreenPart]
  ) {
    self.model = model
    self.isPage = isPage
    self.didAppear = didAppear
    makeExits = exits
    self.nested = nested
    makeParts = parts
  }

  /// Where it leads, and the steps within it.
  package var exits: ScreenExits { makeExits() }

  /// The screen that is shown, which may be within this one.
  package var shown: Screen { nested()?.shown ?? self }

  /// The parts below the heading and its explanations.
  package func parts(_ exits: ScreenExits) -> [ScreenPart] { makeParts(exits) }

  /// All parts of this screen.
  @ScreenBuilder package func page(_ exits: ScreenExits) -> [ScreenPart] {
    if isPage {
      let status = model.status
      ScreenPart("title", .title(status.title))
      if let sentence = status.failureSentence { ScreenPart("message", .message(sentence)) }
      for sentence in status.explanations { ScreenPart(sentence, .text(sentence)) }
    }
    parts(exits)
  }

  /// All parts that a user sees: those of the screen that is shown, within those around a step.
  package func allParts(_ exits: ScreenExits) -> [ScreenPart] {
    let shown = shown
    if isPage { return shown.page(exits) }
    let step = shown.model === model ? [] : shown.page(exits)
    return page(exits).flatMap { if case .step = $0.content { step } else { [$0] } }
  }
}
