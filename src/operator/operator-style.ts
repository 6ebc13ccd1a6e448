/** The one style sheet of the pages for operators. */
export const operatorStyle = `
:root { color-scheme: light dark; --line: color-mix(in srgb, CanvasText 18%, Canvas);
  --quiet: color-mix(in srgb, CanvasText 70%, Canvas); --fill: color-mix(in srgb, CanvasText 5%, Canvas);
  --link: #364fc7; --button: #364fc7; --focus: #364fc7; --good: #17693a; --bad: #a8201a; --warn: #7a5200; }
@media screen and (prefers-color-scheme: dark) { :root { --link: #91a7ff; --focus: #91a7ff; --good: #7fd1a0; --bad: #ff9a92; --warn: #f0c36d; } }
html { background: Canvas; color: CanvasText; }
* { box-sizing: border-box; }
body { font: 14px/1.5 system-ui, sans-serif; max-width: 78rem; margin: 0 auto; padding: 0 1.25rem 3rem; overflow-wrap: anywhere; }
a { color: var(--link); }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
.hidden { position: absolute; left: -200vw; }
.skip { position: absolute; left: -200vw; } .skip:focus { left: 1rem; top: 0.5rem; background: Canvas; padding: 0.5rem; }
header.top { display: flex; flex-wrap: wrap; align-items: center; gap: 0.25rem 1.5rem; border-bottom: 1px solid var(--line); padding: 0.75rem 0; }
header.top .name { font-weight: 600; margin: 0; } header.top form { margin-left: auto; }
header.top ul { list-style: none; display: flex; flex-wrap: wrap; gap: 0 1.25rem; margin: 0; padding: 0; }
header.top li a { display: inline-block; padding: 0.35rem 0; text-decoration: none; }
header.top li a:hover { text-decoration: underline; }
[aria-current] { color: inherit; font-weight: 600; box-shadow: inset 0 -2px var(--link); }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 1.5rem 0 0.25rem; }
h2 { font-size: 1.1rem; line-height: 1.3; margin: 2rem 0 0.5rem; }
p { margin: 0.35rem 0; max-width: 48rem; }
footer { border-top: 1px solid var(--line); margin-top: 3rem; padding-top: 0.5rem; color: var(--quiet); font-size: 0.9rem; }
code, .mono { font: 0.95em/1.5 ui-monospace, monospace; }
.quiet { color: var(--quiet); } .good { color: var(--good); } .bad { color: var(--bad); } .warn { color: var(--warn); }
.chip { display: inline-block; font-weight: 600; white-space: nowrap; }
.chip::before { content: ""; display: inline-block; width: 0.6em; height: 0.6em; border-radius: 50%; background: currentColor; margin-right: 0.45em; }
ul.attention { list-style: none; margin: 0.5rem 0; padding: 0; max-width: 48rem; }
ul.attention li { border-left: 4px solid var(--warn); background: var(--fill); padding: 0.5rem 0.85rem; margin: 0.35rem 0; }
ul.attention li.bad { border-color: var(--bad); color: inherit; }
.note { border-left: 4px solid var(--link); background: var(--fill); padding: 0.5rem 0.85rem; margin: 0.75rem 0; max-width: 48rem; }
.note.bad { border-color: var(--bad); color: inherit; } .note.good { border-color: var(--good); color: inherit; }
dl.facts { display: flex; flex-wrap: wrap; gap: 0.5rem 2rem; margin: 0.75rem 0; }
dl.facts dt { color: var(--quiet); font-size: 0.9em; } dl.facts dd { margin: 0; font-weight: 600; font-variant-numeric: tabular-nums; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { text-align: left; vertical-align: top; padding: 0.45rem 1rem 0.45rem 0; border-bottom: 1px solid var(--line); overflow-wrap: normal; }
thead th { white-space: nowrap; } tbody th, td.text { overflow-wrap: anywhere; }
caption { text-align: left; padding-bottom: 0.25rem; }
table.narrow { max-width: 48rem; }
th { color: var(--quiet); font-weight: 600; } tbody th { color: inherit; }
th.number, td.number { text-align: right; padding-right: 2rem; } td.number, td time, td .chip { white-space: nowrap; }
td.text { min-width: 14rem; } th.address { min-width: 15rem; } td:last-child, th:last-child { padding-right: 0; }
td form { margin: 0; }
form.search { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: end; margin: 0.75rem 0; }
form.search label { margin: 0; } form.search input { width: 16rem; max-width: 100%; }
label { display: block; font-weight: 600; margin-top: 0.85rem; }
input:not([type=hidden]), select, textarea { font: inherit; color: inherit; background: transparent; width: 100%; max-width: 24rem; padding: 0.4rem 0.55rem;
  border: 1px solid color-mix(in srgb, currentColor 55%, transparent); border-radius: 6px; }
select option { color: CanvasText; background: Canvas; }
button { font: inherit; font-weight: 600; padding: 0.45rem 1rem; border: 1px solid transparent; border-radius: 6px; color: #fff; background: var(--button); cursor: pointer; }
form.act button { margin-top: 1rem; }
button.bad { background: #a8201a; color: #fff; }
button.plain { color: inherit; background: transparent; border-color: color-mix(in srgb, currentColor 40%, transparent); padding: 0.3rem 0.75rem; }
.hint { color: var(--quiet); margin: 0.1rem 0 0.3rem; font-size: 0.95em; }
.error { color: var(--bad); font-weight: 600; margin: 0.2rem 0 0; }
.acts { display: grid; grid-template-columns: repeat(auto-fit, minmax(18rem, 1fr)); gap: 1rem; align-items: start; }
section.act { border: 1px solid var(--line); border-radius: 6px; padding: 0.25rem 1rem 1rem; }
section.act h2 { margin-top: 0.75rem; }
.turn { display: flex; gap: 1.5rem; margin-top: 0.75rem; }
@media (max-width: 44rem) {
  header.top nav { order: 1; width: 100%; } header.top ul { gap: 0 1rem; }
  table.stack, .stack tbody, .stack tr, .stack td, .stack tbody th { display: block; }
  .stack thead { position: absolute; left: -200vw; }
  .stack tr { border-bottom: 1px solid var(--line); padding: 0.5rem 0; }
  .stack td, .stack tbody th { border: 0; padding: 0.1rem 0; min-width: 0; }
  .stack td[data-label] { display: grid; grid-template-columns: 7.5rem 1fr; gap: 0.5rem; text-align: left; white-space: normal; }
  .stack td[data-label]::before { content: attr(data-label); color: var(--quiet); }
  .stack td.none { display: none; }
  .stack td time, .stack td .chip { white-space: normal; } .stack td time .quiet { white-space: nowrap; }
  .stack td form { margin-top: 0.35rem; }
}
@media print { :root { color-scheme: light; } }
`
