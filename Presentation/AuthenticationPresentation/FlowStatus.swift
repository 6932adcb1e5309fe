public import AuthenticationDomain

/// The texts of a screen of a flow: derived from its state, and never stored.
public struct FlowStatus: Sendable, Equatable {
  /// The heading of the step that is shown.
  public package(set) var title = ""
  /// The current activity, for assistive technology; nil while no request is in flight.
  public package(set) var activity: String?
  /// Why the last intent failed; nil while a request is in flight.
  public package(set) var failure: FlowFailure?
  /// A sentence for the failure, or for the first problem of the input. It holds no secret and no
  /// text of a server.
  public package(set) var failureSentence: String?
  /// The problems of the input, in the order of the screen; empty until a submit has failed.
  public package(set) var problems: [AuthenticationError] = []
  /// Where the focus belongs.
  public package(set) var focus: Focus?
  /// The text that assistive technology announces.
  public package(set) var announcement: Announcement?
  /// The sentences of a screen below its heading, such as where a code was sent to.
  public package(set) var explanations: [String] = []
  /// Whether a response is awaited, or the user is asked outside of the app.
  public package(set) var isWorking = false
  /// Seconds until the code on the screen expires or, after too many tries, until the next one; nil if that is not
  /// known.
  public package(set) var secondsLeft: Int?
  /// Seconds until another code or link may be sent; zero if it may be sent now, nil if none can be.
  public package(set) var secondsToResend: Int?

  init() {}

  /// - Parameters:
  ///   - title: the key of the heading.
  ///   - words: the sentences of the model.
  ///   - heading: in place of the sentence of the key.
  ///   - activity: the key of the current activity.
  ///   - failure: why the last intent failed.
  ///   - form: the form that is shown, for its problems and its focus.
  ///   - problems: the problems where there is no form.
  ///   - focus: where it belongs; by default at the first problem of the form, or at the failure.
  ///   - urgency: how the heading is announced; nil does not announce it.
  ///   - announcement: by default the activity. A failure has the focus, which has it read: announced as well, it would
  ///     be heard twice.
  ///   - explanations: the sentences below the heading.
  package init(
    _ title: WordKey, in words: Words, heading: String? = nil, activity: WordKey? = nil, failure: FlowFailure? = nil,
    form: EntryForm? = nil, problems: [AuthenticationError] = [], focus: Focus? = nil,
    announced urgency: Announcement.Urgency? = nil, announcement: Announcement? = nil, explanations: [String] = []
  ) {
    self.title = heading ?? words(title)
    self.activity = activity.map { words($0) }
    isWorking = activity != nil
    self.failure = failure
    self.problems = form?.problems ?? problems
    failureSentence =
      failure.map { words.sentence(for: $0.error) } ?? self.problems.first.map { words.sentence(for: $0) }
    self.focus = focus ?? form?.focus ?? failure?.focus
    let heading = urgency.map { [title = self.title] in Announcement(title, $0) }
    self.announcement = announcement ?? heading ?? activity.map { Announcement(words($0)) }
    self.explanations = explanations
  }
}
