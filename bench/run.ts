import { benchAlerts } from './alerts.ts'
import { benchChaining } from './chaining.ts'
import { benchClaims } from './claims.ts'
import { benchFanOut } from './fan-out.ts'
import { benchFeed } from './feed.ts'
import { benchGrowth } from './growth.ts'
import { benchImport } from './import.ts'
import { benchIncidents } from './incidents.ts'
import { benchMove } from './move.ts'
import { benchObjects } from './objects.ts'
import { openLaboratory, type Laboratory } from './laboratory.ts'
import { benchLargeUploads } from './large-uploads.ts'
import { benchLatency } from './latency.ts'
import { benchMatching } from './matching.ts'
import { benchPages } from './pages.ts'
import { benchPartitions, sizeOfTables } from './partitions/partitions.ts'
import { madeTables } from './partitions/made-tables.ts'
import { benchPooler } from './pooler.ts'
import { benchProcesses } from './processes.ts'
import { benchReplica } from './replica.ts'
import { say } from './report.ts'
import { benchSize, sizeOf } from './size/size.ts'
import { benchSmallUploads } from './small-uploads.ts'
import { benchStarts } from './start.ts'
import { benchSteady } from './steady/steady.ts'
import { benchVex } from './vex.ts'
import { openRunFolder } from '../test/support/run-folder.ts'
import { benchWorkspaces } from './workspaces.ts'

const wanted = process.argv.slice(2)

/** `npm run bench`, or `npm run bench -- latency import` for some of them. */
const benchmarks = {
  import: benchImport,
  small: benchSmallUploads,
  large: benchLargeUploads,
  latency: benchLatency,
  start: benchStarts,
  vex: benchVex,
  pages: benchPages,
  matching: benchMatching,
  alerts: benchAlerts,
  incidents: benchIncidents,
  feed: benchFeed,
  workspaces: benchWorkspaces,
  processes: benchProcesses,
  steady: benchSteady,
  chaining: benchChaining,
  growth: benchGrowth,
  partitions: (laboratory: Laboratory) => benchPartitions(laboratory, sizeOfTables(wanted)),
  claims: benchClaims,
  'fan-out': benchFanOut,
  objects: benchObjects,
  replica: benchReplica,
  pooler: benchPooler,
  move: benchMove,
  size: (laboratory: Laboratory) => benchSize(laboratory, sizeOf(wanted)),
}

// partitions and size take a number, partitions tables too
const isArgument = (word: string) => /^\d+$/.test(word) || madeTables.some(({ name }) => name === word)
const unknown = wanted.filter((word) => !Object.hasOwn(benchmarks, word) && !isArgument(word))
if (unknown.length > 0)
  throw new Error(
    `No benchmark is called ${unknown.join(', ')}. There are ${Object.keys(benchmarks).join(', ')}.`,
  )

const closeFolder = await openRunFolder()
const laboratory = await openLaboratory()
try {
  for (const [name, run] of Object.entries(benchmarks)) {
    if (wanted.length === 0 || wanted.includes(name)) await run(laboratory)
  }
} finally {
  await laboratory.close()
  await closeFolder()
}
say('done')
