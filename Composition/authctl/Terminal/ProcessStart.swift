import Foundation

/// When this process was started (UTC): what other processes have done since then, they have done at the same time.
enum ProcessStart {
  /// Read it first at the beginning of `main`, from where on it does not change.
  static let date = now - min(max(now.timeIntervalSince(kernelDate ?? now), 0), longestLoading)

  private static let now = Date()
  /// Seconds between the start of a process and its `main`; a longer time is that of another program, which became this
  /// one.
  private static let longestLoading = 2.0

  /// What the system says, in hundredths of a second, and never too early; nil where it does not say.
  private static var kernelDate: Date? {
    #if os(Linux)
    var sinceBoot = timespec()
    guard unsafe clock_gettime(CLOCK_BOOTTIME, &sinceBoot) == 0,
      let fields = try? String(contentsOfFile: "/proc/self/stat", encoding: .utf8).split(separator: ")").last?
        .split(separator: " "),
      fields.count > 19, let ticks = Double(fields[19])
    else { return nil }
    let uptime = Double(sinceBoot.tv_sec) + Double(sinceBoot.tv_nsec) / 1e9
    return Date() - (uptime - (ticks + 1) / Double(sysconf(Int32(_SC_CLK_TCK))))
    #else
    return nil
    #endif
  }
}
