/// What each form of a page carries, so that only this browser can send it, and once.
struct Seal {
  let token: String
  /// Another one for each form.
  let makeID: () -> String
  /// Whether seconds are drawn; without them, and with equal ids, two drawings of the same state are equal.
  let drawsSeconds: Bool

  @MainActor
  init(of visitor: Visitor) {
    token = visitor.token
    makeID = Visitor.random
    drawsSeconds = true
  }

  private init() {
    token = ""
    makeID = { "" }
    drawsSeconds = false
  }

  /// For a drawing that is compared, and never sent.
  static var blank: Seal { Seal() }
}
