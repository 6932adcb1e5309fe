import AuthenticationAccountPresentation
public import AuthenticationPresentation
package import AuthenticationScreens

/// A flow in one of its states: for previews, pictures and tests. It asks no provider.
///
/// ```swift
/// ForEach(CodeEntryModel.presets(), id: \.name) { CodeView($0.model) }
/// ```
@MainActor
public struct Preset<Model: FlowModel> {
  /// Names the state, such as `editing, failed`.
  public let name: String
  /// The flow.
  public let model: Model

  init(_ name: String, _ model: Model) {
    self.name = name
    self.model = model
  }
}

/// A flow of any kind in one of its states.
@MainActor
public struct AnyPreset {
  /// The flow and the state, such as `code: editing, failed`.
  public let name: String
  /// The flow.
  public let model: FlowModel
  private let screen: Screen

  init<Model>(_ flow: String, _ preset: Preset<Model>, _ screen: Screen) {
    name = "\(flow): \(preset.name)"
    model = preset.model
    self.screen = screen
  }
}

extension AnyPreset {
  /// All that its screen shows, with each way out that an app can offer.
  package var page: [ScreenPart] {
    var exits = screen.exits
    switch model {
    case is AuthenticationViewModel: exits.forgot = {}
    case is AccountModel, is ReauthenticationModel, is AccountConflictModel: break
    default: exits = ScreenExits(signIn: {}, signUp: {}, forgot: {}, back: {}, mail: {})
    }
    return screen.allParts(exits)
  }
}
