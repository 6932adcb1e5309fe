struct QRCode {
  let modules: [[Bool]]
  init?(_ text: String) { return nil }
}
