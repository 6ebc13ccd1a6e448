import { join } from 'node:path'
import { build, type Rolldown } from 'vite'
import { expect, it } from 'vitest'
import { leaveOutSchemas } from './leave-out-schemas.ts'

/** A page that opens an incident and shows why a finding opens none, as served to the browser. */
async function built(): Promise<string> {
  const contract = join(import.meta.dirname, '../src/contract')
  const page = `
    import { openIncident } from ${JSON.stringify(join(contract, 'incidents/operations.ts'))}
    import { incidentObstacles } from ${JSON.stringify(join(contract, 'findings/verdict.ts'))}
    import { regimes } from ${JSON.stringify(join(contract, 'alerts/events.ts'))}
    console.log(openIncident, incidentObstacles, regimes)`
  const { output } = (await build({
    configFile: false,
    logLevel: 'error',
    plugins: [
      {
        name: 'page',
        resolveId: (id: string) => (id === 'page' ? id : null),
        load: (id: string) => (id === 'page' ? page : null),
      },
      leaveOutSchemas(),
    ],
    build: { write: false, minify: false, rolldownOptions: { input: 'page' } },
  })) as Rolldown.RolldownOutput
  return output.map((chunk) => (chunk.type === 'chunk' ? chunk.code : '')).join('')
}

it('leaves operations where they are and who may call them, and nothing of their schemas', async () => {
  const code = await built()
  expect(code).toContain('/workspaces/:slug/incidents')
  expect(code).toContain('work_on_incidents')
  expect(code).toContain('The match is only possible, not exact.')
  expect(code).not.toContain('nullable(')
  expect(code).not.toContain('occurredAt')
})
