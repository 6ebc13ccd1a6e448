/** The one style sheet of every page below /docs: light and dark, wide and narrow, screen and paper. */
export const docsStyle = `
:root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 18%, transparent);
  --quiet: color-mix(in srgb, CanvasText 74%, Canvas); --fill: color-mix(in srgb, currentColor 6%, transparent);
  --link: #0b57b0; --mark: #dbe9fb; }
@media screen and (prefers-color-scheme: dark) { :root { --link: #8ab8f8; --mark: #1f3a5c; } }
* { box-sizing: border-box; }
html { background: Canvas; color: CanvasText; scroll-padding-top: 1rem; }
body { font: 16px/1.6 system-ui, sans-serif; margin: 0; overflow-wrap: break-word; }
a { color: var(--link); }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 2px; }
.skip { position: absolute; left: -200vw; } .skip:focus { left: 1rem; top: 0.5rem; background: Canvas; padding: 0.25rem 0.5rem; z-index: 3; }
.top { display: flex; flex-wrap: wrap; gap: 0.5rem 1.5rem; align-items: center; padding: 0.75rem 1.5rem; border-bottom: 1px solid var(--line); }
.top .home { font-weight: 600; text-decoration: none; color: inherit; margin-right: auto; }
.search { position: relative; display: flex; gap: 0.5rem; flex: 0 1 24rem; min-width: 12rem; }
.search input { font: inherit; color: inherit; background: transparent; width: 100%; padding: 0.35rem 0.6rem; border-radius: 4px;
  border: 1px solid color-mix(in srgb, currentColor 55%, transparent); }
.search button, .copy { font: inherit; padding: 0.35rem 0.75rem; border-radius: 4px; border: 1px solid color-mix(in srgb, currentColor 55%, transparent);
  color: inherit; background: transparent; cursor: pointer; }
.found { position: absolute; z-index: 2; top: 100%; right: 0; width: min(34rem, calc(100vw - 3rem)); max-height: 70vh; overflow-y: auto; margin-top: 0.25rem;
  background: Canvas; border: 1px solid var(--line); border-radius: 6px; box-shadow: 0 6px 24px rgb(0 0 0 / 0.25); }
.found[hidden] { display: none; }
.found p { margin: 0; padding: 0.6rem 0.9rem; color: var(--quiet); }
.found ul { list-style: none; margin: 0; padding: 0; }
.found a, .results a { display: block; padding: 0.55rem 0.9rem; text-decoration: none; border-top: 1px solid var(--line); }
.found a:hover, .found a:focus { background: var(--mark); }
.found small, .results small { display: block; color: var(--quiet); }
.results { list-style: none; padding: 0; }
.layout { display: grid; grid-template-columns: minmax(0, 1fr); max-width: 90rem; margin: 0 auto; padding: 0 1.5rem 4rem; column-gap: 3rem; }
.side { display: none; }
.menu { margin: 1rem 0 0; border: 1px solid var(--line); border-radius: 6px; padding: 0.4rem 0.9rem; }
.menu summary { cursor: pointer; font-weight: 600; }
.side ul, .menu ul, .toc ul { list-style: none; margin: 0 0 1rem; padding: 0; }
.side li, .menu li, .toc li { margin: 0.3rem 0; line-height: 1.35; }
.side p, .menu nav p, .toc p { font-weight: 600; margin: 1rem 0 0.35rem; }
.side a, .menu a, .toc a { text-decoration: none; } .side a:hover, .menu a:hover, .toc a:hover { text-decoration: underline; }
[aria-current] { color: inherit; font-weight: 600; }
.toc { font-size: 0.92rem; border-left: 3px solid var(--line); padding-left: 0.9rem; margin: 1rem 0; }
.toc p { margin-top: 0; }
main { max-width: 48rem; min-width: 0; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 1.5rem 0 0.75rem; }
h2 { font-size: 1.35rem; line-height: 1.3; margin: 2.5rem 0 0.5rem; padding-top: 0.75rem; border-top: 1px solid var(--line); }
h3 { font-size: 1.08rem; margin: 1.75rem 0 0.35rem; }
code { font: 0.9em ui-monospace, monospace; overflow-wrap: anywhere; background: var(--fill); border-radius: 3px; padding: 0.05em 0.25em; }
th code, td code { overflow-wrap: break-word; }
p, li, dd { overflow-wrap: anywhere; }
pre { overflow-x: auto; padding: 0.8rem 1rem; background: var(--fill); border: 1px solid var(--line); border-radius: 6px; line-height: 1.45; }
pre code { background: none; padding: 0; overflow-wrap: normal; }
blockquote { margin: 1rem 0; padding: 0.1rem 1rem; border-left: 4px solid var(--link); background: var(--fill); }
img { max-width: 100%; height: auto; border: 1px solid var(--line); border-radius: 6px; }
.scroll { overflow-x: auto; margin: 1rem 0; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: 0.45rem 0.9rem 0.45rem 0; border-bottom: 1px solid var(--line); }
.quiet { color: var(--quiet); }
.tasks { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 20rem), 1fr)); gap: 0 2.5rem; }
.tasks h2 { border: 0; padding: 0; margin: 1.75rem 0 0.25rem; font-size: 1.15rem; }
.tasks ul { list-style: none; margin: 0; padding: 0; } .tasks li { margin: 0.75rem 0; } .tasks small { display: block; color: var(--quiet); font-size: 0.92rem; }
.turn { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0.75rem 2rem; margin-top: 3.5rem; padding-top: 1rem; border-top: 1px solid var(--line); }
.turn a { text-decoration: none; } .turn small { display: block; color: var(--quiet); } .turn .next { margin-left: auto; text-align: right; }
details.example { margin: 0.5rem 0; } details.example summary { cursor: pointer; }
@media (min-width: 62rem) {
  .layout { grid-template-columns: 14rem minmax(0, 1fr); } .menu { display: none; }
  .side { display: block; border-right: 1px solid var(--line); padding: 0.5rem 1rem 2rem 0; grid-row: 1 / span 2; position: sticky; top: 0; align-self: start; max-height: 100vh; overflow-y: auto; }
}
@media (min-width: 82rem) {
  .layout { grid-template-columns: 14rem minmax(0, 48rem) minmax(10rem, 1fr); }
  .toc { grid-column: 3; grid-row: 1; position: sticky; top: 1rem; align-self: start; margin-top: 1.75rem; max-height: 92vh; overflow-y: auto; }
  main { grid-column: 2; grid-row: 1; } .side { grid-row: 1; }
}
@media print {
  :root { color-scheme: light; }
  .top, .side, .menu, .toc, .turn { display: none; } .layout { display: block; padding: 0; } main { max-width: none; }
  body { font-size: 11pt; } pre { white-space: pre-wrap; } h2, h3 { break-after: avoid; } pre, tr { break-inside: avoid; }
  a { color: inherit; }
}
`
