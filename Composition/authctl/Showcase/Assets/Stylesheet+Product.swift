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
