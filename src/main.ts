import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'

/**
 * The entry of every role and command. What answers requests lives long and says little at a time: a young generation that does not grow
 * while the program is loaded saves 25 MB a process. Once it answers, `platform/heap.ts` says how far it may.
 */
const answeringRoles = new Set([undefined, 'all', 'serve', 'demo'])
const role = process.argv[2]

if (answeringRoles.has(role)) setFlagsFromString('--semi-space-growth-factor=1')
// Reading the program is most of a start, and the compiler that reads it keeps 20 MB. The compiled form lies beside the packages, where
// only who may change the program may write; where nobody may, the program is read each time.
const compiled = join(import.meta.dirname, '../node_modules/.cache/sbom-monitor')
enableCompileCache(compiled)
// Children have it before they read their first file, and need no compiler of TypeScript for that one: 70 ms of a core each.
process.env['NODE_COMPILE_CACHE'] ??= compiled

if (role === 'parse') await import('./parse.ts')
else await import('./program.ts')
