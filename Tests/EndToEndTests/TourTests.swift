import Testing

@testable import authctl

@Suite(.timeLimit(.minutes(5))) struct TourTests {
  @Test @MainActor func `a check that does not hold is counted, and the tour goes on`() async throws {
    let tour = Tour(console: Console(isJSON: false), port: 0)
    tour.check("This one is planted.", false)
    #expect(try await tour.walk() == 1)
  }
}
