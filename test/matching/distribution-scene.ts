import { SbomResult } from '../../src/contract/sbom/result.ts'
import { testNow } from '../support/clock.ts'
import { createFamilyToken, type Company } from '../support/company.ts'
import { drain } from '../support/drain.ts'
import { call } from '../support/http.ts'
import { cyclonedx, type UploadScene } from '../support/upload-scene.ts'
import { readAs } from '../support/read-as.ts'

/** The first result of an upload: findings as `VULNERABILITY severity grade fixed`, and the number of packages in each state. */
export type Answered = { found: string[]; states: Record<string, number> }

/** Sends packages by purl, as a scanner lists them, and reads the result as a pipeline does. */
export async function answerTo(
  scene: UploadScene,
  purls: readonly string[],
  { os, of = scene.company }: { os?: { name: string; version: string }; of?: Company } = {},
): Promise<Answered> {
  const system = os === undefined ? [] : [{ type: 'operating-system', 'bom-ref': 'os', ...os }]
  const packages = purls.map((purl, at) => ({ type: 'library', 'bom-ref': `p${at}`, name: `p${at}`, purl }))
  const body = cyclonedx({
    serialNumber: `urn:${scene.serial()}`,
    metadata: { component: { type: 'application', name: 'pump', version: '1.0' } },
    components: [...system, ...packages],
  })
  const { id } = await scene.uploaded(body, { token: await scene.token(of) })
  await drain(scene.database.db, testNow)
  const token = (await createFamilyToken(scene.database.db, of, { kind: 'results' })).secret
  const answer = await call(`${scene.http.url}/api/v1/sboms/${id}?worst=500`, { token })
  const { matches, worst = [] } = readAs(SbomResult, answer.body)
  // the operating system itself is checked through its packages
  const notCovered = matches.coverage.notCovered - system.length
  const states = Object.entries({ ...matches.coverage, notCovered }).filter(([, count]) => count > 0)
  return {
    found: worst
      .map(({ id: title, severity, grade, fixedIn }) => `${title} ${severity} ${grade} ${fixedIn ?? '-'}`)
      .sort(),
    states: Object.fromEntries(states),
  }
}
