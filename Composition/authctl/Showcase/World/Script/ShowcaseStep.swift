/// Something that happens to an app: told once, for the switches of the showcase and for `demo --tour`.
struct ShowcaseStep: Sendable, Identifiable {
  /// What goes on until the step is played again.
  struct Lasting: Sendable {
    let isOn: @MainActor @Sendable (any Stage) -> Bool
    /// What is said when it is over.
    let ending: String
  }

  let id: String
  let title: String
  /// What happens, and what the person sees of it.
  let sentence: String
  /// Nil where the step is over at once.
  var lasting: Lasting?
  let play: @MainActor @Sendable (any Stage) async throws -> Void

  init(
    _ id: String, _ title: String, _ sentence: String, lasting: Lasting? = nil,
    play: @escaping @MainActor @Sendable (any Stage) async throws -> Void
  ) {
    self.id = id
    self.title = title
    self.sentence = sentence
    self.lasting = lasting
    self.play = play
  }
}
