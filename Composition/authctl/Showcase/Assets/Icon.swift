/// The mark of the showcase, for its tab.
enum Icon {
  static let text = """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">
    <circle cx="8" cy="8" r="5.5" fill="none" stroke="#2f9e78" stroke-width="4"/>
    </svg>
    """
}
