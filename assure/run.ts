import { openRunFolder } from '../test/support/run-folder.ts'
import { judge } from './goal.ts'
import { goals } from './goals.ts'

/** `npm run assure`, or `npm run assure -- 1 8` for some goals: one line each, and a non-zero end when one is missed. */
const wanted = new Set(process.argv.slice(2).map(Number))
const chosen = goals.filter(({ number }) => wanted.size === 0 || wanted.has(number))
if ([...wanted].some((number) => !goals.some((goal) => goal.number === number)))
  throw new Error(`There are the goals ${[...new Set(goals.map(({ number }) => number))].join(', ')}.`)

const closeFolder = await openRunFolder()
let missed = 0
for (const goal of chosen) {
  const startedAt = performance.now()
  process.stderr.write(`assure: ${goal.number} ${goal.title}\n`)
  const { held, line } = await goal.run().then(
    (outcome) => judge(goal, outcome),
    (error: unknown) =>
      judge(goal, { figures: {}, failures: [error instanceof Error ? (error.stack ?? '') : String(error)] }),
  )
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  process.stdout.write(`${line} [${seconds} s]\n`)
  if (!held) missed += 1
}
await closeFolder()
process.stdout.write(`${chosen.length - missed} held, ${missed} missed\n`)
process.exitCode = missed === 0 ? 0 : 1
