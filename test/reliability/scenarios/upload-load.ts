import { setTimeout as sleep } from 'node:timers/promises'
import { request } from 'undici'
import { sampleSbom } from '../../support/sample-sbom.ts'
import type { Service } from '../../support/service.ts'

type Provisioned = { workspaces: { families: { tokens: { token: string }[] }[] }[] }
type Receipt = { id: string; status: string }

/** What clients saw: the base of the comparison with the store. */
export type UploadHistory = {
  /** By number of the file: the ids that were answered. */
  acknowledged: Map<number, Set<string>>
  /** Answers by status; `none`: the connection ended without one. */
  answers: Map<string, number>
  /** Of 500 answers, those without `Retry-After` or in another shape than the contract's. */
  badRefusals: string[]
}

export type UploadLoad = UploadHistory & {
  /** Resolves when an upload is acknowledged that was sent after this call; throws after `withinMs`. */
  untilAcknowledged: (withinMs: number) => Promise<void>
  stop: () => Promise<void>
}

const requestsPerToken = 50

/** Tokens for so many uploads: each has an hourly limit. */
export async function provisionTokens(service: Pick<Service, 'cli'>, uploads: number): Promise<string[]> {
  const families = Array.from({ length: 10 }, (_, index) => ({
    name: `family ${index}`,
    tokens: Array.from({ length: Math.ceil(uploads / requestsPerToken / 10) }, (__, token) => ({
      name: `ci ${token}`,
    })),
  }))
  const workspace = {
    slug: 'load',
    companyName: 'Load',
    securityContactEmail: 'load@example.com',
    plan: 'core',
    families,
  }
  const { workspaces } = await service.cli<Provisioned>(['provision'], { workspaces: [workspace] })
  return workspaces.flatMap((made) => made.families.flatMap(({ tokens }) => tokens.map(({ token }) => token)))
}

type LoadOrder = { baseUrls: string[]; tokens: string[]; senders: number }

/** Sends one new SBOM after the other, from several senders at once, until stopped. */
export function startUploads({ baseUrls, tokens, senders }: LoadOrder): UploadLoad {
  const history: UploadHistory = { acknowledged: new Map(), answers: new Map(), badRefusals: [] }
  let isStopping = false
  let lastFile = 0
  let acknowledgedFile = 0

  const send = async () => {
    lastFile += 1
    const file = lastFile
    const answer = await post(history, { file, tokens, baseUrl: baseUrls[file % baseUrls.length] ?? '' })
    if (answer) acknowledgedFile = Math.max(acknowledgedFile, file)
    // What is refused is not hammered: a client waits before it tries again.
    else await sleep(50)
  }
  const sending = Array.from({ length: senders }, async () => {
    while (!isStopping) await send()
  })
  return {
    ...history,
    untilAcknowledged: async (withinMs) => {
      const sentBefore = lastFile
      const until = performance.now() + withinMs
      while (acknowledgedFile <= sentBefore) {
        if (performance.now() > until)
          throw new Error(
            `no upload was acknowledged within ${withinMs} ms: ${JSON.stringify([...history.answers])}`,
          )
        await sleep(5)
      }
    },
    stop: async () => {
      isStopping = true
      await Promise.all(sending)
    },
  }
}

type Post = { file: number; tokens: string[]; baseUrl: string }

/** Answers whether the upload was acknowledged. */
async function post(history: UploadHistory, { file, tokens, baseUrl }: Post): Promise<boolean> {
  const token = tokens[file % tokens.length] ?? ''
  const body = sampleSbom({ components: 20, serial: file, offset: file % 500, version: String(file) })
  const count = (key: string) => history.answers.set(key, (history.answers.get(key) ?? 0) + 1)
  try {
    const answer = await request(`${baseUrl}/api/v1/sboms`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body,
      headersTimeout: 120_000,
    })
    const text = await answer.body.text()
    count(String(answer.statusCode))
    if (answer.statusCode === 202 || answer.statusCode === 200) {
      const { id } = JSON.parse(text) as Receipt
      history.acknowledged.set(file, (history.acknowledged.get(file) ?? new Set()).add(id))
      return true
    }
    const isProper = text.includes('"error":"internal"') && answer.headers['retry-after'] !== undefined
    if (!isProper) history.badRefusals.push(`${answer.statusCode} ${text}`)
  } catch (error) {
    count('none')
    history.badRefusals.push(String(error))
  }
  return false
}

type StoredSbom = { id: string; status: string; file: string }
type Query = (statement: string) => Promise<Record<string, unknown>[]>

export type HistoryFigures = { acknowledged: number; lost: number; doubled: number; unfinished: number }

/** Waits until the jobs of all uploads have run, then compares the store with what clients saw. */
export async function compareHistory(
  query: Query,
  { acknowledged }: UploadHistory,
  { withinMs }: { withinMs: number },
): Promise<HistoryFigures> {
  const until = performance.now() + withinMs
  let stored: StoredSbom[] = []
  for (let open = true; open && performance.now() < until;) {
    stored = (await query(
      'select s.id, s.status, v.name as file from sbom s join product_version v on v.id = s.version_id',
    )) as StoredSbom[]
    open = stored.some(({ status }) => status !== 'matched')
    if (open) await sleep(100)
  }
  const byFile = Map.groupBy(stored, ({ file }) => Number(file))
  const entries = [...acknowledged]
  return {
    acknowledged: entries.length,
    lost: entries.filter(([file, ids]) => !byFile.get(file)?.some(({ id }) => ids.has(id))).length,
    doubled: [...byFile.values()].filter((rows) => rows.length > 1).length,
    unfinished: stored.filter(({ status }) => status !== 'matched').length,
  }
}
