import type { Deadline } from '../contract/incidents/waiting.ts'
import { stageNames, regimeNames } from '../contract/incidents/incident-names.ts'
import { selectDeadlines } from '../incidents/reads/list-deadlines.ts'
import type { Process } from './open-process.ts'
import { formatTable } from './table.ts'
import { hourMs, minuteMs } from '../contract/durations.ts'

const waitMs = minuteMs
const shownDeadlines = 10

/** The incidents that the sample has opened, with the clocks that run on them. */
export async function printIncidents({ db, now, config }: Process): Promise<void> {
  const { id: workspaceId, slug } = await db
    .selectFrom('workspace')
    .select(['id', 'slug'])
    .executeTakeFirstOrThrow()
  const deadlines = await untilSome(() =>
    selectDeadlines(db, { workspaceId, max: shownDeadlines, now: now() }),
  )
  const table = formatTable(
    ['Incident', 'About', 'Report', 'Due', 'Left'],
    deadlines.map((deadline) => toCells(deadline, now())),
  )
  process.stdout.write(`\n${table}\nDecide on them at ${config.baseUrl}/app/${slug}/incidents\n`)
}

async function untilSome(read: () => Promise<Deadline[]>): Promise<Deadline[]> {
  const until = performance.now() + waitMs
  while (performance.now() < until) {
    const deadlines = await read()
    if (deadlines.length > 0) return deadlines
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
  throw new Error('the sample opened no incident within a minute')
}

function toCells({ incident, regime, report, dueAt }: Deadline, now: Date): string[] {
  const left = Math.max(0, Date.parse(dueAt ?? '') - now.getTime())
  const hours = Math.floor(left / hourMs)
  const minutes = Math.floor((left % hourMs) / minuteMs)
  return [
    incident.reference,
    incident.title,
    `${regimeNames[regime]}, ${stageNames[report]}`,
    dueAt ?? '',
    `${hours} h ${minutes} min`,
  ]
}
