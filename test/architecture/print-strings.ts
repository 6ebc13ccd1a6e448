/** `npm run strings [part of a path]`: every string a person can see, by file, for review by somebody who did not write it. */
import { shownStrings } from './shown-strings.ts'

const [wanted = ''] = process.argv.slice(2)
const byFile = Map.groupBy(
  shownStrings().filter(({ file }) => file.includes(wanted)),
  ({ file }) => file,
)
for (const [file, strings] of byFile) {
  const lines = strings.map(({ line, kind, text }) => `  ${line} ${kind}: ${text}`)
  process.stdout.write(`${file}\n${lines.join('\n')}\n`)
}
