#if Tools
/// Why a loopback server did not start.
public enum LoopbackServerError: Error, Hashable {
  /// Another socket of this machine listens there.
  case portInUse(UInt16)
  /// It listens already; stop it first.
  case alreadyStarted
  /// The words of the system.
  case cannotListen(String)
}
#endif
