public import AuthenticationDomain
public import Observation

/// What every model of a flow says besides its state; all of it is derived from the state.
@MainActor
public protocol FlowModel: AnyObject, Observable {
  /// Every place where the flow can stand.
  associatedtype State: Sendable

  /// Where the flow stands: one value, whose payloads exist only where they mean something.
  var state: State { get }
  /// What is said to the person.
  var words: Words { get }
  /// What the step that is shown is called: its heading.
  var title: String { get }
  /// What is being done, for assistive technology; nil while nothing is on its way.
  var activity: String? { get }
  /// Why the last intent did not do; nil while something is on its way.
  var failure: FlowFailure? { get }
  /// What is wrong with what was typed, in the order of the screen; empty until a submit has failed.
  var problems: [AuthenticationError.Code] { get }
  /// Where the focus belongs.
  var focus: Focus? { get }
  /// What assistive technology says.
  var announcement: Announcement? { get }

  /// Returns when nothing is on its way: for tests and scripts.
  func finished() async
}

extension FlowModel {
  /// A sentence for the failure, or for the first thing that is wrong with what was typed. It holds no secret and no
  /// word of a server.
  public var failureSentence: String? {
    failure.map { words.sentence(for: $0.error) } ?? problems.first.map { words.sentence(for: $0) }
  }

  public var activity: String? { nil }

  public var problems: [AuthenticationError.Code] { [] }

  public var focus: Focus? { failure?.focus }

  // The focus on the message has it read: said twice, it would be heard twice.
  public var announcement: Announcement? { activity.map { Announcement($0) } }

  public func finished() async {}
}
