import AuthenticationTestingServers
import AuthenticationKit

/// What a tab shows: the product on one of its pages, the mailbox, and what happens backstage.
@MainActor
struct Scene {
  let product: Product
  let backstage: Backstage
  let place: Place
  let seal: Seal

  var words: Words { product.words }

  /// The parts that are replaced when they change, by the ids of their elements.
  var regions: [(id: String, part: HTML)] {
    [("product", productRegion), ("mailbox", mailboxRegion), ("backstage", backstageRegion)]
  }

  var title: String {
    let page = productHeading
    return (hasFailed ? words.language.tag == "de" ? "Fehler: " : "Error: " : "") + page + " – AuthenticationKit"
  }

  /// What assistive technology says although the focus stays.
  var status: String { shownModel?.announcement?.text ?? "" }

  var hasFailed: Bool { shownModel?.failureSentence != nil }

  func sealed(_ seal: Seal) -> Scene { Scene(product: product, backstage: backstage, place: place, seal: seal) }

  /// Tells two drawings apart.
  func versions() -> [String: String] {
    let blank = sealed(.blank)
    return Dictionary(
      blank.regions.map { ($0.id, String(UInt(bitPattern: $0.part.hashValue), radix: 36)) }
    ) { first, _ in first }
  }
}
