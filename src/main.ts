import { setFlagsFromString } from 'node:v8'

/**
 * The entry of every role and command. What answers requests lives long and says little at a time: a young generation that never grows
 * keeps 25 MB per process, and has to be asked for before the program is loaded.
 */
const answeringRoles = new Set([undefined, 'all', 'serve', 'demo'])
if (answeringRoles.has(process.argv[2])) setFlagsFromString('--semi-space-growth-factor=1')

await import('./program.ts')
