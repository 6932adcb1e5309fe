import Simulation
import Testing

/// A tenth of the fleet that `swift run -c release simulate fleet` prints, and the same dice in every run.
@Suite struct FleetTests {
  // failure row 34
  @Test func `a fleet comes back from ten minutes of outage without a herd`() {
    let run = FleetRun.library(.tenMinutes, clients: 20_000)
    #expect(run.peak(over: 10) <= 3)
    #expect(run.outageLoad <= 1.25)
    // The price: less than a third more refreshes than at the last moment.
    #expect(run.refreshesPerHour <= 1.35)
    #expect(run.shareWithoutToken <= 0.005)
    // 20 seconds, and the 5 after which a client in use asks again.
    #expect(run.longestWait <= 25)
  }

  // failure row 34
  @Test func `a fleet that could not reach its provider is back in seconds, and still no herd`() {
    let run = FleetRun.library(.tenMinutesUnreached, clients: 20_000)
    // 10 seconds, and the 5 after which a client in use asks again.
    #expect(run.longestWait <= 15)
    #expect(run.peak(over: 10) <= 5)
    #expect(run.outageLoad <= 2)
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
