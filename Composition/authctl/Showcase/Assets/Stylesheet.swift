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

extension Stylesheet {
  static let product = """
    #product {
      min-height: 27rem; padding: clamp(1.5rem, 5vw, 2.25rem); border: 1px solid var(--line); border-radius: 1.5rem;
      background: var(--card); box-shadow: var(--shadow);
    }
    .screen, .screen form { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1.1rem; }
    .screen > h1 { margin-bottom: .4rem; }
    .lead { font-size: 1.0625rem; }
    .people { margin-top: .75rem; padding-top: .75rem; border-top: 1px solid var(--line); color: var(--faint); font-size: .875rem; }
    .row { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; }
    button, a.main { font: inherit; cursor: pointer; }
    .main, .plain, .grave, .method {
      min-height: 2.9rem; padding: .55rem 1.1rem; border: 1px solid var(--edge); border-radius: .75rem; background: none; color: var(--ink);
      font-weight: 500; text-align: center;
    }
    .main {
      display: inline-block; border-color: var(--accent); background: var(--accent); color: var(--on-accent); text-decoration: none;
    }
    .screen form > .main { width: 100%; }
    .main:hover { filter: brightness(1.08); }
    .plain:hover, .method:hover, .switch:hover { border-color: var(--accent); }
    .grave { border-color: var(--grave); color: var(--grave); }
    .quiet, .link {
      justify-self: start; min-height: 2rem; padding: .15rem 0; border: 0; background: none; color: var(--accent);
      text-decoration: underline; text-decoration-thickness: 1px; text-underline-offset: .2em; text-align: start;
    }
    .methods { gap: .6rem !important; }
    .method { display: flex; justify-content: space-between; gap: 1rem; align-items: center; width: 100%; text-align: start; }
    .method::after { content: "›" / ""; color: var(--faint); font-size: 1.25rem; line-height: 1; }
    .tag { margin-inline-start: auto; color: var(--faint); font-size: .875rem; font-weight: 400; }
    #message, #notice, .banner {
      padding: .7rem .9rem; border-inline-start: 3px solid var(--grave); background: color-mix(in srgb, var(--grave) 7%, var(--card));
      border-radius: .25rem; outline-offset: 0;
    }
    #notice, .banner { border-color: var(--accent); background: var(--tint); }
    .banner { display: flex !important; flex-wrap: wrap; justify-content: space-between; gap: .25rem 1rem !important; }
    .person { font-size: 1.0625rem; overflow-wrap: anywhere; }
    .person strong { display: block; font-weight: 600; }
    .call { display: grid; gap: .6rem; }
    .answered { color: var(--accent); }
    .big-code { font-size: 2.1rem; letter-spacing: .06em; }
    .key { padding: .6rem .8rem; border: 1px dashed var(--edge); border-radius: .5rem; overflow-wrap: anywhere; }
    #qr { display: block; width: 100%; max-width: 13rem; border-radius: .5rem; }
    .list { display: grid; gap: .35rem; }
    .list h2 { margin-top: .5rem; }
    .list li { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1rem; padding: .35rem 0; border-bottom: 1px solid var(--line); }
    .list li > span { overflow-wrap: anywhere; }
    .message { display: flex; flex-wrap: wrap; gap: .1rem 1rem; align-items: center; justify-content: space-between; padding: .6rem 0; border-top: 1px solid var(--line); }
    .message .code { font-size: 1.25rem; letter-spacing: .08em; }
    """

  static let fields = """
    .field { display: grid; grid-template-columns: minmax(0, 1fr); gap: .35rem; }
    .field label { font-weight: 500; }
    .entry { display: flex; align-items: center; border: 1px solid var(--edge); border-radius: .75rem; background: var(--paper); }
    .entry:focus-within { outline: 3px solid var(--accent); outline-offset: 1px; }
    .entry input {
      flex: 1; min-width: 0; min-height: 2.9rem; padding: .4rem .9rem; border: 0; border-radius: inherit; background: none; color: inherit;
      font: inherit; outline: none;
    }
    .entry .code-entry { font: 500 1.5rem/1.2 ui-monospace, "Liberation Mono", monospace; letter-spacing: .3em; }
    .reveal { min-height: 2.4rem; padding: 0 .9rem; border: 0; background: none; color: var(--accent); font-size: .875rem; white-space: nowrap; }
    .wrong .entry { border-color: var(--grave); }
    .problem { color: var(--grave); }
    .problem::before { content: "! " / ""; font-weight: 700; }
    .rules { color: var(--faint); font-size: .9375rem; }
    .rules li::before { content: "· " / ""; }
    """
}

extension Stylesheet {
  static let backstage = """
    #trail { display: grid; grid-template-columns: repeat(5, minmax(0, 1fr)); }
    #trail li { position: relative; display: grid; gap: .1rem; align-content: start; padding: 1.6rem .75rem 0 0; font-size: .9375rem; color: var(--faint); }
    #trail li::before { content: ""; position: absolute; top: .4375rem; inset-inline: 0; height: 1px; background: var(--edge); }
    #trail li:last-child::before { display: none; }
    #trail .dot {
      position: absolute; top: 0; inset-inline-start: 0; width: .9375rem; height: .9375rem; border: 1px solid var(--edge); border-radius: 50%;
      background: var(--paper);
    }
    #trail .lit { color: var(--ink); }
    #trail .lit .dot { border-color: var(--accent); background: var(--accent); }
    #trail .lit::before { height: 2px; background: var(--accent); }
    #trail strong { font-weight: 600; }
    #trail .what { overflow-wrap: anywhere; font-size: .875rem; line-height: 1.4; }
    .trail details { margin-top: 1rem; color: var(--faint); font-size: .875rem; }
    .trail summary { min-height: 1.5rem; cursor: pointer; width: max-content; }
    .steps { display: grid; gap: .15rem; margin-top: .4rem; max-height: 18rem; overflow-y: auto; color: var(--ink); }
    .pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 17rem), 1fr)); gap: 1.75rem 2.5rem; }
    .panel { display: grid; gap: .75rem; align-content: start; padding-top: 1rem; border-top: 1px solid var(--line); min-width: 0; }
    dl { display: grid; gap: .3rem; font-size: .9375rem; }
    dl > div { display: grid; grid-template-columns: 7rem minmax(0, 1fr); gap: .75rem; }
    dt { color: var(--faint); }
    dd { overflow-wrap: anywhere; }
    progress { width: 100%; height: .4rem; border: 0; border-radius: 1rem; overflow: hidden; background: var(--line); appearance: none; }
    progress::-webkit-progress-bar { background: var(--line); }
    progress::-webkit-progress-value { background: var(--accent); transition: inline-size 1s linear; }
    progress::-moz-progress-bar { background: var(--accent); }
    .lifetime p { font-size: .9375rem; }
    #requests ol { display: grid; gap: .2rem; font-size: .875rem; }
    #requests li { display: flex; gap: .6rem; align-items: baseline; }
    .verb { color: var(--faint); min-width: 3.6em; }
    .path { flex: 1; min-width: 0; overflow-wrap: anywhere; }
    .count { color: var(--accent); font-weight: 600; white-space: nowrap; }
    .status { color: var(--faint); font-variant-numeric: tabular-nums; }
    #switches { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 14.5rem), 1fr)); gap: .6rem; }
    .switch {
      display: grid; gap: .15rem; align-content: start; padding: .75rem .9rem; border: 1px solid var(--line); border-radius: .75rem;
      background: var(--card); color: var(--ink); text-align: start;
    }
    .switch strong { font-weight: 600; font-size: .9375rem; }
    .switch span { color: var(--faint); font-size: .875rem; line-height: 1.4; }
    .switch[aria-pressed=true] { border-color: var(--accent); background: var(--tint); }
    @media (max-width: 38rem) {
      #trail { grid-template-columns: minmax(0, 1fr); }
      #trail li { padding: 0 0 .9rem 1.75rem; }
      #trail li::before { inset-inline: .4375rem auto; top: .3rem; width: 1px; height: 100%; }
      #trail .lit::before { width: 2px; height: 100%; }
      #trail .dot { top: .25rem; }
      dl > div { grid-template-columns: 6rem minmax(0, 1fr); }
    }
    """

  /// Motion shows where something comes from: the way of the data, station by station, and a step that replaces another.
  static let motion = """
    @media (prefers-reduced-motion: no-preference) {
      @view-transition { navigation: auto; }
      #product { view-transition-name: product; }
      ::view-transition-group(*) { animation-duration: .22s; }
      #trail .new .dot { animation: arrive .45s var(--late, 0s) both cubic-bezier(.2, .9, .3, 1.2); }
      #trail .new .what { animation: appear .45s var(--late, 0s) both; }
      #trail .new::before { transform-origin: 0 0; animation: flow .3s var(--late, 0s) both ease-out; }
      #trail li:nth-child(2) { --late: .14s; }
      #trail li:nth-child(3) { --late: .28s; }
      #trail li:nth-child(4) { --late: .42s; }
      #trail li:nth-child(5) { --late: .56s; }
      .fresh .message:first-child { animation: appear .4s both; }
      .dots { animation: breathe 1.2s infinite alternate; }
    }
    .dots { display: inline-block; width: .6rem; height: .6rem; margin-inline-end: .5rem; border-radius: 50%; background: var(--accent); }
    @keyframes arrive { from { transform: scale(.3); background: var(--paper); } }
    @keyframes flow { from { scale: 0 0; } }
    @keyframes appear { from { opacity: 0; transform: translateY(.35rem); } }
    @keyframes breathe { to { opacity: .25; } }
    @media (forced-colors: active) {
      .segment[aria-pressed=true], .switch[aria-pressed=true] { border: 2px solid Highlight; }
      #trail .lit .dot { background: Highlight; }
      .entry { border: 1px solid; }
    }
    """
}

/// The mark of the showcase, for its tab.
enum Icon {
  static let text = """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">
    <circle cx="8" cy="8" r="5.5" fill="none" stroke="#2f9e78" stroke-width="4"/>
    </svg>
    """
}
