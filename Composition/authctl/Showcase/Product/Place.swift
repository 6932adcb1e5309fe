/// A page of the product.
enum Place: String, Sendable, CaseIterable {
  case home = "/"
  case reset = "/reset"
  case account = "/account"
}
