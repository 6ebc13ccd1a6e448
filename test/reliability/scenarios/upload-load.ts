import { setTimeout as sleep } from 'node:timers/promises'
import { runCommand } from '../../support/command.ts'
import type { Service } from '../../support/service.ts'
import { UploadHistory } from '../../support/upload-history.ts'

type Provisioned = { workspaces: { families: { tokens: { token: string }[] }[] }[] }

export type UploadLoad = {
  history: UploadHistory
  /** Resolves when an upload sent after this call is acknowledged; throws after `withinMs`. */
  untilAcknowledged: (withinMs: number) => Promise<void>
  /** Sets the pause of a sender after an upload. */
  pace: (pauseMs: number) => void
  stop: () => Promise<void>
}

const requestsPerToken = 50

/** Tokens for so many uploads: each has an hourly limit. */
export async function provisionTokens(service: Pick<Service, 'env'>, uploads: number): Promise<string[]> {
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
  const { workspaces } = await runCommand<Provisioned>(service.env, ['provision'], {
    workspaces: [workspace],
  })
  return workspaces.flatMap((made) => made.families.flatMap(({ tokens }) => tokens.map(({ token }) => token)))
}

type LoadOrder = {
  baseUrls: string[]
  tokens: string[]
  senders: number
  /** Pause of a sender after an upload; default: none, and the load takes the whole processor. */
  pauseMs?: number | undefined
}

/** Sends new SBOMs from several senders in parallel until stopped. */
export function startUploads({ baseUrls, tokens, senders, pauseMs = 0 }: LoadOrder): UploadLoad {
  const history = new UploadHistory({ components: 20 })
  let isStopping = false
  let lastFile = 0
  let acknowledgedFile = 0
  let pacedMs = pauseMs

  const send = async () => {
    lastFile += 1
    const file = lastFile
    await history.send(file, {
      baseUrl: baseUrls[file % baseUrls.length] ?? '',
      token: tokens[file % tokens.length] ?? '',
    })
    const isAcknowledged = history.acknowledged.has(file)
    if (isAcknowledged) acknowledgedFile = Math.max(acknowledgedFile, file)
    // After a refusal a client waits before it retries.
    const waitMs = isAcknowledged ? pacedMs : Math.max(pacedMs, 50)
    if (waitMs > 0) await sleep(waitMs)
  }
  const sending = Array.from({ length: senders }, async () => {
    while (!isStopping) await send()
  })
  return {
    history,
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
    pace: (ms) => {
      pacedMs = ms
    },
    stop: async () => {
      isStopping = true
      await Promise.all(sending)
    },
  }
}
