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
