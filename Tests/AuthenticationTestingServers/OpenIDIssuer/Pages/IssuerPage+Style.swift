#if Tools && OpenID
extension IssuerPage {
  /// Another house than the app's: it has another look.
  static let style = """
    :root { color-scheme: light dark; --ink: #1b1c2b; --paper: #eceef6; --card: #fff; --accent: #3f3da8; --on: #fff; --bad: #a3261d; --edge: #7c7f92; }
    @media (prefers-color-scheme: dark) {
      :root { --ink: #eaeaf4; --paper: #14141d; --card: #1d1d2a; --accent: #b3b1ff; --on: #14141d; --bad: #ff9c90; --edge: #8a8ca0; }
    }
    * { box-sizing: border-box; }
    body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
    main { max-width: 25rem; margin: 12vh auto 2rem; padding: 2rem; border-radius: 1rem; background: var(--card); }
    h1 { margin: 0 0 .5rem; font-size: 1.5rem; line-height: 1.25; }
    p { margin: 0 0 1rem; }
    form, label { display: grid; gap: .4rem; }
    form { gap: 1rem; }
    input, button { min-height: 2.75rem; border-radius: .5rem; font: inherit; }
    input { width: 100%; padding: 0 .75rem; border: 1px solid var(--edge); background: none; color: inherit; }
    button { border: 1px solid var(--accent); background: var(--accent); color: var(--on); cursor: pointer; }
    .quiet { background: none; color: var(--accent); }
    .issuer { color: var(--accent); font-weight: 600; }
    .problem { color: var(--bad); }
    """
}
#endif
