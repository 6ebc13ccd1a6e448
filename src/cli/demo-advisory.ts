import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAdvisory } from '../advisories/drafts/create-advisory.ts'
import { publishDraft } from '../advisories/publish/publish.ts'
import type { AdvisoryContent } from '../contract/advisories/shapes.ts'
import { prefillAdvisory } from '../advisories/reads/prefill-advisory.ts'
import type { Process } from './open-process.ts'
import { formatTable } from './table.ts'

const vulnerability = 'CVE-2021-44228'

/** Publishes an advisory on a finding of the sample, and checks the document in the feed as any reader can. */
export async function printAdvisory({ db, now, config }: Process): Promise<void> {
  const workspace = await db.selectFrom('workspace').select(['id', 'slug']).executeTakeFirstOrThrow()
  const workspaceId = workspace.id
  const actor = { kind: 'system', id: null, name: 'demo' } as const
  const content = asAffected(await prefillAdvisory(db, workspaceId, vulnerability))
  const { id, trackingId } = await createAdvisory(db, { workspaceId, content, links: [], actor, clock: now })
  const { number, releasedAt } = await publishDraft(
    db,
    { workspaceId, advisoryId: id, actor, clock: now },
    {
      revision: 1,
      kind: undefined,
      summary: 'First publication.',
      refuse: () => Promise.resolve(),
      baseUrl: config.baseUrl,
      serviceName: config.serviceName,
    },
  )
  const file = `${trackingId.toLowerCase()}.json`
  const path = `/csaf/${workspace.slug}/white/${releasedAt.getUTCFullYear()}/${file}`
  const checked = await checkedDocument(`http://127.0.0.1:${config.port}${path}`, file)
  const row = [trackingId, number, `${config.baseUrl}${path}`, checked]
  process.stdout.write(`\n${formatTable(['Advisory', 'Version', 'Document', 'Checked'], [row])}\n`)
}

/** As a member would say who has looked at it. */
function asAffected(content: AdvisoryContent): AdvisoryContent {
  const versionIds = content.products.map(({ versionId }) => versionId)
  return {
    ...content,
    vulnerabilities: content.vulnerabilities.map((one) => ({
      ...one,
      statuses: one.statuses.map((row) => ({ ...row, status: 'affected' as const })),
      remediations: [
        {
          category: 'mitigation' as const,
          details: 'Block outgoing connections of the pump controller until an update is available.',
          url: '',
          versionIds,
        },
      ],
    })),
  }
}

/** By `sha256sum -c`; by a digest of our own where the machine has no such command. */
async function checkedDocument(url: string, file: string): Promise<string> {
  const [document, digest] = await Promise.all([fetched(url), fetched(`${url}.sha256`)])
  const folder = await mkdtemp(join(tmpdir(), 'sbom-monitor-advisory-'))
  try {
    await writeFile(join(folder, file), document)
    await writeFile(join(folder, `${file}.sha256`), digest)
    const status = await exitOfCheck(folder, `${file}.sha256`)
    if (status === 0) return 'sha256sum -c: OK'
    const [expected] = digest.toString().split(' ')
    const isEqual = createHash('sha256').update(document).digest('hex') === expected
    if (status !== null || !isEqual) throw new Error(`the document at ${url} differs from its digest`)
    return 'SHA-256: equal'
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function fetched(url: string): Promise<Buffer> {
  const answer = await fetch(url)
  if (answer.status !== 200) throw new Error(`${url} was answered ${answer.status}`)
  return Buffer.from(await answer.arrayBuffer())
}

/** null: there is no such command. */
function exitOfCheck(cwd: string, file: string): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const child = spawn('sha256sum', ['-c', file], { cwd, stdio: 'ignore' })
    child.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') resolve(null)
      else reject(error)
    })
    child.on('exit', (code) => resolve(code ?? 1))
  })
}
