import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { getIncident } from '../../../src/contract/incidents/operations.ts'
import type { AppSession } from '../../support/app-session.ts'
import { call } from '../../support/http.ts'
import type { TestWorkspace } from '../../support/scene.ts'

/** What outsiders, pipelines and members see of a service: equal for two services with the same content. */
export type Seen = {
  /** The content of every public feed file, by path. */
  feed: Map<string, Buffer>
  sbom: unknown
  destinations: unknown
  /** Due times of the incidents' reports. */
  clocks: unknown
}

type Looking = {
  baseUrl: string
  workspace: TestWorkspace
  /** A member's session. */
  session: AppSession
  sbomId: string
  incidents: readonly string[]
}

/** Requests all of it with the respective credentials. Throws if a request is refused. */
export async function lookAt(looking: Looking): Promise<Seen> {
  const { baseUrl, workspace, sbomId } = looking
  const ask = async (path: string, token: string) => {
    const { status, body } = await call(`${baseUrl}/api/v1/${path}`, { token })
    if (status !== 200) throw new Error(`${path} was answered ${status}`)
    return body
  }
  return {
    feed: await readFeed(`${baseUrl}/csaf/${workspace.slug}`),
    sbom: await ask(`sboms/${sbomId}`, workspace.families[0]?.results ?? ''),
    destinations: await ask('alert-destinations', workspace.workspaceToken),
    clocks: await readClocks(looking),
  }
}

/** Every file found from the metadata and the index, checked against its ETag and its digests. */
async function readFeed(feed: string): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>()
  const read = async (path: string) => {
    const answer = await fetch(`${feed}/${path}`)
    const bytes = Buffer.from(await answer.arrayBuffer())
    if (answer.status !== 200) throw new Error(`${path} was answered ${answer.status}`)
    if (answer.headers.get('etag') !== `"${digest('sha256', bytes)}"`)
      throw new Error(`${path} differs from its tag`)
    files.set(path, bytes)
    return bytes
  }
  await read('provider-metadata.json')
  await read('white/changes.csv')
  const index = (await read('white/index.txt')).toString()
  for (const path of index.split('\n').filter((line) => line !== '')) {
    const document = await read(`white/${path}`)
    for (const algorithm of ['sha256', 'sha512']) {
      const words = (await read(`white/${path}.${algorithm}`)).toString()
      if (!words.startsWith(`${digest(algorithm, document)}  `))
        throw new Error(`${path}.${algorithm} is not the digest`)
    }
  }
  return files
}

function digest(algorithm: string, bytes: Buffer): string {
  return createHash(algorithm).update(bytes).digest('hex')
}

async function readClocks({ baseUrl, workspace, session, incidents }: Looking): Promise<unknown> {
  const clocks: unknown[] = []
  for (const id of incidents) {
    const params = { slug: workspace.slug, incident: id }
    const { reference, regimes, reports } = await session.at(baseUrl).call(getIncident, { params })
    const due = reports.map(({ report, cycle, dueAt, submittedAt, reason }) => {
      return { report, cycle, dueAt, submittedAt, reason }
    })
    clocks.push({ reference, awareAt: regimes.map(({ awareAt }) => awareAt), due })
  }
  return clocks
}

/** What differs between the two. */
export function differencesOf(before: Seen, after: Seen): string[] {
  const paths = new Set([...before.feed.keys(), ...after.feed.keys()])
  const isSame = (path: string) => {
    const [one, other] = [before.feed.get(path), after.feed.get(path)]
    return one !== undefined && other !== undefined && one.equals(other)
  }
  const kinds = (['sbom', 'destinations', 'clocks'] as const).filter(
    (kind) => !isDeepStrictEqual(before[kind], after[kind]),
  )
  return [
    ...[...paths].filter((path) => !isSame(path)).map((path) => `${path} of the feed differs`),
    ...kinds.map((kind) => `${kind} differ: ${JSON.stringify([before[kind], after[kind]])}`),
  ]
}
