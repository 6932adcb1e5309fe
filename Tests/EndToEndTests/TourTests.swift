import AuthenticationKit
import Testing
import AuthCTLCommands

@testable import showcase

@Suite(.timeLimit(.minutes(10))) struct TourTests {
  @Test @MainActor func `a check that does not hold fails the tour, which goes on to its end`() async throws {
    let console = Console(isJSON: false)
    let tour = Tour(console: console, port: 0)
    tour.check("This one is planted.", false)
    await #expect(throws: AuthCTLCommands.ExitStatus.unexpected.exitCode) {
      try await ShowcaseCommand.walk(tour, console)
    }
    #expect(tour.failures == 1)
    #expect(tour.step == 16)
  }
}
