import Foundation

/// The three streams every process is given, unless a shell closed one (`>&-`).
enum StandardStreams {
  /// Fills the place of a closed stream: the next file opened would get its number, and what is printed.
  static func occupy() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      // For reading only, so that a write is told to have failed.
      _ = unsafe open("/dev/null", O_RDONLY)
    }
  }
}
