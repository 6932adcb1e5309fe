import AuthenticationKit
import Foundation

extension Product {
  /// One call of the product's API, with a valid token.
  func callAPI() async {
    do throws(AuthenticationError) {
      let response = try await world.root.apiClient.send(HTTPRequest(.get, world.resource))
      call = CallOutcome(
        sentence: "The API has answered \(response.status).", isAnswered: (200...299).contains(response.status))
    } catch {
      call = CallOutcome(sentence: words.sentence(for: error), isAnswered: false)
    }
  }
}
