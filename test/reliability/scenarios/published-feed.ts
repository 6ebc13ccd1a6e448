import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAdvisory } from '../../../src/advisories/drafts/create-advisory.ts'
import { beginDraft } from '../../../src/advisories/drafts/change-draft.ts'
import { publishDraft } from '../../../src/advisories/publish/publish.ts'
import type { DraftProduct } from '../../../src/contract/advisories/shapes.ts'
import type { Db } from '../../../src/database/connection.ts'
import { selectOrInsertVersion } from '../../../src/products/versions.ts'
import { sampleContent } from '../../support/advisory-scene.ts'
import { callAsSpelt } from '../../support/call-as-spelt.ts'
import type { Company } from '../../support/company.ts'
import { hostileFeedPaths } from '../../support/hostile-feed-paths.ts'
import { fieldOf, objectIn, textIn } from '../../support/read-as.ts'
import type { Outcome } from './outcome.ts'
import { tester } from '../../support/actors.ts'

type Feed = {
  db: Db
  company: Company
  /** Processes that serve the readers. */
  baseUrls: readonly string[]
  publications: number
  readers: number
}

const writers = 4
const linesFollowed = 5

/**
 * Publishes under readers who fetch each index from one process and its documents from another: every body matches its ETag, and every
 * index line has its document. Then everything is checked with common tools, and non-existent paths are tried.
 */
export async function runPublishedFeed(feed: Feed): Promise<Outcome> {
  const failures: string[] = []
  const isOver = { value: false }
  const reading = Array.from({ length: feed.readers }, (_, number) =>
    read(feed, { number, isOver, failures }),
  )
  const published = publishAll(feed).finally(() => (isOver.value = true))
  const [made, ...answers] = await Promise.all([published, ...reading])
  const downloaded = await checkDownloads(feed, failures)
  const hostile = await tryHostilePaths(feed, failures)
  return {
    figures: {
      publications: made,
      answers: answers.reduce((sum, count) => sum + count, 0),
      documentsChecked: downloaded,
      hostilePaths: hostile,
    },
    failures,
  }
}

/** Half are first publications, the others new versions of them; several writers in parallel. */
export async function publishAll({
  db,
  company,
  publications,
  baseUrls,
}: Omit<Feed, 'readers'>): Promise<number> {
  const { workspaceId, familyId } = company
  const clock = () => new Date()
  const { id: versionId } = await selectOrInsertVersion(db, {
    workspaceId,
    familyId,
    name: '1.0',
    now: clock(),
  })
  const product: DraftProduct = { versionId, familyId, family: 'Pump', version: '1.0' }
  const refuse = () => Promise.resolve()
  const service = { baseUrl: baseUrls[0] ?? '', serviceName: 'SBOM Monitor', refuse }
  const publishTwo = async () => {
    const content = sampleContent([product])
    const [vulnerability] = content.vulnerabilities
    if (vulnerability === undefined) throw new Error('the sample has a vulnerability')
    const statuses = vulnerability.statuses.slice(0, 1)
    const one = { ...content, vulnerabilities: [{ ...vulnerability, statuses }] }
    const { id } = await createAdvisory(db, { workspaceId, content: one, links: [], actor: tester, clock })
    const act = { workspaceId, advisoryId: id, actor: tester, clock }
    await publishDraft(db, act, { revision: 1, kind: undefined, summary: 'First.', ...service })
    const { revision } = await beginDraft(db, act)
    await publishDraft(db, act, { revision, kind: 'update', summary: 'More.', ...service })
    return 2
  }
  let left = Math.ceil(publications / 2)
  let made = 0
  const write = async () => {
    while (left > 0) {
      left -= 1
      const count = await publishTwo()
      // added once known: a sum started before the await would lose other writers' additions
      made += count
    }
  }
  await Promise.all(Array.from({ length: writers }, write))
  return made
}

type Reader = { number: number; isOver: { value: boolean }; failures: string[] }

async function read({ baseUrls, company }: Feed, { number, isOver, failures }: Reader): Promise<number> {
  let answers = 0
  for (let turn = number; !isOver.value; turn += 1) {
    const from = `${baseUrls[turn % baseUrls.length]}/csaf/${company.slug}`
    const other = `${baseUrls[(turn + 1) % baseUrls.length]}/csaf/${company.slug}`
    const changes = await fetchFile(`${from}/white/changes.csv`, failures)
    const lines = changes
      .toString()
      .split('\n')
      .slice(0, linesFollowed)
      .filter((line) => line !== '')
    for (const line of lines) {
      const [, path = '', date = ''] = /^"([^"]+)","([^"]+)"$/.exec(line) ?? []
      const document = await fetchFile(`${other}/white/${path}`, failures)
      const tracking = fieldOf(objectIn(document.toString()), 'document', 'tracking')
      const released = textIn(tracking, 'current_release_date')
      if (released < date) failures.push(`${path} is older than its line`)
      await fetchFile(`${other}/white/${path}.sha256`, failures)
    }
    const index = (await fetchFile(`${from}/white/index.txt`, failures)).toString().split('\n')
    if (index.length < lines.length) failures.push('the index has fewer lines than what had changed')
    answers += 2 + lines.length * 2
  }
  return answers
}

/** The body of an answer, whose digest must be its ETag. */
async function fetchFile(url: string, failures: string[]): Promise<Buffer> {
  const answer = await fetch(url)
  const bytes = Buffer.from(await answer.arrayBuffer())
  if (answer.status !== 200) throw new Error(`${url} was answered ${answer.status}`)
  const digest = createHash('sha256').update(bytes).digest('hex')
  if (answer.headers.get('etag') !== `"${digest}"`) failures.push(`${url} differs from its tag`)
  return bytes
}

/** Checks every document of the index with sha256sum and sha512sum. */
async function checkDownloads({ baseUrls, company }: Feed, failures: string[]): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'sbom-monitor-feed-'))
  try {
    const feed = `${baseUrls[0]}/csaf/${company.slug}/white`
    const paths = (await fetchFile(`${feed}/index.txt`, failures)).toString().trim().split('\n')
    for (const path of paths) {
      const name = path.split('/')[1] ?? ''
      for (const hash of ['', '.sha256', '.sha512']) {
        await writeFile(join(folder, `${name}${hash}`), await fetchFile(`${feed}/${path}${hash}`, failures))
      }
    }
    const names = paths.map((path) => path.split('/')[1] ?? '')
    for (const [tool, hash] of [
      ['sha256sum', '.sha256'],
      ['sha512sum', '.sha512'],
    ] as const) {
      const files = names.map((name) => name + hash)
      const checked = spawnSync(tool, ['-c', '--strict', ...files], { cwd: folder, encoding: 'utf8' })
      if (checked.status !== 0) failures.push(`${tool}: ${checked.stderr}`)
    }
    return names.length
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function tryHostilePaths({ baseUrls, company }: Feed, failures: string[]): Promise<number> {
  const [url = ''] = baseUrls
  const index = await (await fetch(`${url}/csaf/${company.slug}/white/index.txt`)).text()
  const [, year = '', file = ''] = /^(\d{4})\/(\S+)$/m.exec(index) ?? []
  const paths = hostileFeedPaths({ slug: company.slug, year: Number(year), file })
  for (const path of paths) {
    const { status, headers, body } = await callAsSpelt(url, path)
    const isExact =
      status === 404 &&
      body === 'Not found' &&
      headers['cache-control'] === 'no-store' &&
      headers['content-type']?.startsWith('text/plain') === true
    if (!isExact) failures.push(`${path.slice(0, 120)} was answered ${status} ${body.slice(0, 40)}`)
  }
  return paths.length
}
