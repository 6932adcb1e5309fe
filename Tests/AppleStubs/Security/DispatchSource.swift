import Dispatch

/// On Apple platforms it comes with Dispatch, whose Linux edition leaves it out.
public protocol DispatchSourceFileSystemObject: Sendable {
  func setEventHandler(handler: (@Sendable () -> Void)?)
  func setCancelHandler(handler: (@Sendable () -> Void)?)
  func resume()
  func cancel()
}

extension DispatchSource {
  public static func makeFileSystemObjectSource(
    fileDescriptor: Int32, eventMask: FileSystemEvent, queue: DispatchQueue? = nil
  ) -> any DispatchSourceFileSystemObject {
    fatalError("A stub is only type-checked.")
  }
}
