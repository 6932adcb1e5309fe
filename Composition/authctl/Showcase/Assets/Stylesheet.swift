/// How the showcase looks: type and space, one accent, light and dark.
enum Stylesheet {
  static let text = [colours, base, layout, product, fields, backstage, motion].joined(separator: "\n")

  private static let colours = """
    :root {
      color-scheme: light dark;
      --paper: #f7f5f0; --card: #ffffff; --ink: #1c1e20; --faint: #5a6167; --line: #dedad1; --edge: #7a8086;
      --accent: #0b6b50; --on-accent: #ffffff; --tint: #e6f2ec; --grave: #a3261d;
      --shadow: 0 1px 2px rgb(28 30 32 / .06), 0 12px 40px rgb(28 30 32 / .08);
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --paper: #111315; --card: #191c1f; --ink: #e9ebec; --faint: #a5adb4; --line: #2c3135; --edge: #858d94;
        --accent: #6fd0ab; --on-accent: #08241a; --tint: #1a2e27; --grave: #ff9c90; --shadow: 0 1px 0 #2c3135;
      }
    }
    @media (prefers-contrast: more) {
      :root { --faint: var(--ink); --line: var(--edge); --edge: var(--ink); }
    }
    """

  private static let base = """
    *, ::before, ::after { box-sizing: border-box; }
    html { -webkit-text-size-adjust: 100%; }
    body {
      margin: 0; background: var(--paper); color: var(--ink);
      font: 400 1rem/1.55 system-ui, -apple-system, "Segoe UI", "Noto Sans", "Liberation Sans", sans-serif;
    }
    h1, h2, h3, p, ol, ul, dl, dd { margin: 0; padding: 0; }
    ol, ul { list-style: none; }
    h1 {
      font: 500 2rem/1.15 "Iowan Old Style", Charter, "Source Serif 4", Palatino, "Noto Serif", "Liberation Serif", serif;
      letter-spacing: -.01em; text-wrap: balance; overflow-wrap: anywhere; outline: none;
    }
    h2 { font-size: .8125rem; font-weight: 600; letter-spacing: .08em; text-transform: uppercase; color: var(--faint); }
    h3 { font-size: 1rem; font-weight: 600; }
    a { color: var(--accent); overflow-wrap: anywhere; }
    code, .code, .big-code, .key, .clock, .verb, .path { font-family: ui-monospace, "SF Mono", "Liberation Mono", monospace; }
    .faint, .hint, .countdown { color: var(--faint); }
    .unseen {
      position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap;
    }
    [hidden] { display: none !important; }
    :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
    h1:focus-visible, #message:focus-visible { outline: none; }
    .intro {
      flex-basis: 100%; color: var(--faint); font-size: 1.0625rem;
    }
    """

  private static let layout = """
    .masthead {
      display: flex; flex-wrap: wrap; gap: .75rem 2rem; align-items: center; max-width: 78rem; margin: 0 auto;
      padding: 1.5rem clamp(1rem, 4vw, 3rem);
    }
    .brand { display: flex; gap: .6rem; align-items: center; margin-inline-end: auto; min-height: 24px; font-weight: 600; color: var(--ink); text-decoration: none; }
    .mark { width: .9rem; height: .9rem; border-radius: 50%; border: .28rem solid var(--accent); }
    .lines, .languages { display: flex; flex-wrap: wrap; gap: .25rem; }
    .segment {
      min-height: 2.25rem; padding: 0 .8rem; border: 1px solid transparent; border-radius: 2rem; background: none; color: var(--faint);
      font: inherit; font-size: .9375rem; cursor: pointer;
    }
    .segment:hover { color: var(--ink); }
    .segment[aria-pressed=true] { border-color: var(--edge); color: var(--ink); background: var(--card); }
    main {
      display: grid; grid-template-columns: minmax(0, 25rem) minmax(0, 1fr); grid-template-rows: auto 1fr; gap: 2rem 3.5rem;
      max-width: 78rem; margin: 0 auto; padding: 1rem clamp(1rem, 4vw, 3rem) 3rem;
    }
    #backstage { grid-column: 2; grid-row: 1 / span 2; display: grid; gap: 1.75rem; align-content: start; }
    #mailbox { display: grid; gap: .75rem; align-content: start; }
    footer { max-width: 78rem; margin: 0 auto; padding: 0 clamp(1rem, 4vw, 3rem) 3rem; color: var(--faint); font-size: .9375rem; }
    @media (max-width: 60rem) {
      main { grid-template-columns: minmax(0, 1fr); grid-template-rows: none; }
      #backstage { grid-column: 1; grid-row: auto; }
    }
    .note main { display: block; max-width: 36rem; padding-top: 6rem; }
    .note p { margin-top: 1.25rem; }
    """
}
