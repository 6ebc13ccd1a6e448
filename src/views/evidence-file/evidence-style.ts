/** Of the evidence page, on a screen and on paper: black on white there, with no row and no decision parted by the end of a page. */
export const evidenceStyle = `
:root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 25%, transparent);
  --quiet: color-mix(in srgb, currentColor 72%, transparent); --fill: color-mix(in srgb, currentColor 6%, transparent); --bad: #a8201a; }
@media screen and (prefers-color-scheme: dark) { :root { --bad: #ff9a92; } }
* { box-sizing: border-box; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 64rem; margin: 0 auto; padding: 1.5rem 1.25rem 3rem; overflow-wrap: anywhere; }
th, td { overflow-wrap: break-word; } td code, td .text, td .name { display: inline-block; min-width: 11rem; overflow-wrap: anywhere; } td .name { min-width: 6rem; } td time { white-space: nowrap; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0.25rem 0 0.5rem; }
h2 { font-size: 1.2rem; line-height: 1.3; margin: 2.25rem 0 0.5rem; padding-top: 0.75rem; border-top: 1px solid var(--line); }
h3 { font-size: 1rem; margin: 1.25rem 0 0.25rem; }
p { margin: 0.25rem 0; }
code { font: 0.92em ui-monospace, monospace; }
.quiet { color: var(--quiet); }
.bad { color: var(--bad); font-weight: 600; }
.exercise { border: 2px solid currentColor; font-weight: 700; padding: 0.5rem 0.75rem; margin: 0.75rem 0; }
.text { white-space: pre-wrap; }
.scroll { overflow-x: auto; }
time { display: block; font-variant-numeric: tabular-nums; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: 0.35rem 0.9rem 0.35rem 0; border-bottom: 1px solid var(--line); }
th { font-weight: 600; }
dl { display: grid; grid-template-columns: minmax(9rem, max-content) 1fr; gap: 0.2rem 1rem; margin: 0.5rem 0; }
dt { color: var(--quiet); } dd { margin: 0; }
article { border: 1px solid var(--line); border-radius: 4px; padding: 0.25rem 0.9rem 0.6rem; margin: 0.75rem 0; }
@media (max-width: 34rem) { dl { grid-template-columns: 1fr; } dd { margin-bottom: 0.5rem; } }
@media print {
  @page { size: A4; margin: 18mm 16mm; }
  :root { color-scheme: light; }
  body { max-width: none; padding: 0; font-size: 10pt; color: #000; background: #fff; }
  h2, h3 { break-after: avoid; }
  tr, .decision { break-inside: avoid; }
  thead { display: table-header-group; }
  .scroll { overflow: visible; }
  table { font-size: 8pt; } th, td { padding-right: 0.5rem; } td time { white-space: normal; } td code, td .text { min-width: 0; } td .name { min-width: 4rem; }
}
`
