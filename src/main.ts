import { join } from 'node:path'
import { enableCompileCache } from 'node:module'
import { setFlagsFromString } from 'node:v8'

/**
 * The entry of every role and command. What answers requests lives long and says little at a time: a young generation that never grows
 * keeps 25 MB per process, and has to be asked for before the program is loaded.
 */
const answeringRoles = new Set([undefined, 'all', 'serve', 'demo'])
/** What starts once and lives long has no use of the cache below, whose code would only take memory. */
const lastingRoles = new Set([...answeringRoles, 'work', 'parse'])

if (answeringRoles.has(process.argv[2])) setFlagsFromString('--semi-space-growth-factor=1')
// A command spends most of its start on reading the program. The compiled form lies beside the packages, where only who may change the
// program may write; where nobody may, the program is read each time.
if (!lastingRoles.has(process.argv[2]))
  enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/sbom-monitor'))

await import('./program.ts')
