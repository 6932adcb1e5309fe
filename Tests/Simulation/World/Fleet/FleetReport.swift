/// The figures as a table, each outage against each way to refresh.
package enum FleetReport {
  package static func printTable(clients: Int, seed: UInt64 = 1) {
    print(
      """
      \(clients) clients in use all the time, tokens of one hour unless another lifetime is named, any age at the start.
      Load and peaks are multiples of the same client's steady rate: the mean of the outage, and the highest 10 s and 1 s
      of the two lifetimes after it. Without token: of all clients' time in the outage. Waits: after its end.

      """)
    for outage in Outage.all {
      print(row([outage.name, "per hour", "load", "peak 10 s", "peak 1 s", "no token", "waiting", "mean", "longest"]))
      print(row(TickingClient.name, .ticking(outage, clients: clients, seed: seed)))
      print(row(JitteringClient.name, .jittering(outage, clients: clients, seed: seed)))
      print(row(LibraryClient.name, .library(outage, clients: clients, seed: seed)))
      print("")
    }
  }

  private static func row(_ name: String, _ run: FleetRun) -> String {
    row([
      "  " + name, fixed(run.refreshesPerHour, 2), fixed(run.outageLoad) + "×", fixed(run.peak(over: 10)) + "×",
      fixed(run.peak(over: 1)) + "×", fixed(run.shareWithoutToken * 100) + " %", fixed(run.shareOfWaiting * 100) + " %",
      fixed(run.meanWait) + " s", fixed(run.longestWait) + " s",
    ])
  }

  private static func row(_ cells: [String]) -> String {
    var line = cells[0] + String(repeating: " ", count: max(1, 32 - cells[0].count))
    for cell in cells.dropFirst() { line += String(repeating: " ", count: max(1, 11 - cell.count)) + cell }
    return line
  }

  private static func fixed(_ value: Double, _ digits: Int = 1) -> String {
    let scale = digits == 1 ? 10.0 : 100.0
    let rounded = Int((value * scale).rounded())
    let fraction = String(rounded % Int(scale))
    return "\(rounded / Int(scale))." + String(repeating: "0", count: digits - fraction.count) + fraction
  }
}
