import Simulation
import Testing

/// A tenth of the fleet that `swift run -c release simulate fleet` prints, and the same dice in every run.
@Suite struct FleetTests {
  // failure row 34
  @Test(arguments: Outage.ofTenMinutes) func `a fleet comes back from ten minutes of outage without a herd`(
    outage: Outage
  ) {
    let run = FleetRun.library(outage, clients: 20_000)
    #expect(run.peak(over: 10) <= 2.7)
    #expect(run.outageLoad <= 1.2)
    // The price: less than a third more refreshes than at the last moment.
    #expect(run.refreshesPerHour <= 1.35)
    #expect(run.shareWithoutToken <= 0.001)
    // 20 seconds, and the 5 after which a client in use asks again.
    #expect(run.longestWait <= 25)
  }

  @Test func `after half an hour, which a third of the tokens do not outlast, no client waits longer either`() {
    let run = FleetRun.library(.thirtyMinutes, clients: 20_000)
    #expect(run.longestWait <= 25)
  }

  @Test func `the model shows a herd where clients tick or jitter as usual`() {
    let ticking = FleetRun.ticking(.tenMinutes, clients: 20_000)
    #expect(ticking.peak(over: 10) > 15)
    #expect(ticking.outageLoad > 8)
    let jittering = FleetRun.jittering(.tenMinutes, clients: 20_000)
    #expect(jittering.peak(over: 10) > 15)
    #expect(jittering.outageLoad > 8)
  }
}
