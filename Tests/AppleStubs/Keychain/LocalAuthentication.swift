/// The context that the user unlocks; the probe tells one from another.
open class LAContext {
  public var localizedReason = ""
  public init() {}
}
