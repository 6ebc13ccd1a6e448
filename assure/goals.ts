import { behindPooler } from './behind-pooler.ts'
import { fullSpam } from './full-spam.ts'
import { killDuringUploads } from '../test/reliability/scenarios/kill-during-uploads.ts'
import { stopUnderLoad } from '../test/reliability/scenarios/stop-under-load.ts'
import type { Outcome } from '../test/reliability/scenarios/outcome.ts'
import { runObjectStoreKills } from '../test/reliability/scenarios/object-store-kills.ts'
import { runOrderOfChecks } from '../test/reliability/scenarios/order-of-checks.ts'
import { runPublishedFeed } from '../test/reliability/scenarios/published-feed.ts'
import { runRateLimit } from '../test/reliability/scenarios/rate-limit.ts'
import { runRecovery } from '../test/reliability/scenarios/recovery.ts'
import { runRevocation } from '../test/reliability/scenarios/revocation.ts'
import {
  hostileDestinations,
  killedDeliveries,
  killedIncidents,
  killedWarnings,
  signedDeliveries,
  slowReceivers,
} from './alerts.ts'
import type { Goal } from './goal.ts'
import { hostileStrangers } from './hostile-strangers.ts'
import { isolation } from './isolation.ts'
import { withTwoProcesses } from './lab.ts'
import { largeUploads } from './large-uploads.ts'
import { mutatedBodies } from './mutated-bodies.ts'
import { bombs, identicalUploads, parserKilled } from './one-process.ts'
import { promotion } from './promotion.ts'
import { restoredBackup } from './restored-backup.ts'
import { secrets } from './secrets.ts'
import { silentStore } from './silent-store.ts'
import { slowClients } from './slow-clients.ts'
import { storeAway } from './store-away.ts'
import { timing } from './timing.ts'
import { xss } from './xss.ts'
import { testNow } from '../test/support/clock.ts'

const none = { exactly: 0 }
const held = { missing: none, duplicateRows: none, severalIds: none, doubleNew: none, unmatched: none }
const outage = { ...held, longestOutageMs: { below: 5_000 } }

async function only(outcome: Promise<Outcome>, names: readonly string[]): Promise<Outcome> {
  const { figures, failures } = await outcome
  return { figures: Object.fromEntries(names.map((name) => [name, figures[name] ?? Number.NaN])), failures }
}

function split({ failures, ...figures }: Record<string, unknown> & { failures: string[] }): Outcome {
  return { figures: figures as Record<string, number>, failures }
}

/** Every goal that `npm run assure` tries, in the order and with the figures of docs/reliability.md. */
export const goals: readonly Goal[] = [
  {
    number: 1,
    title: 'acknowledged uploads survive kill -9',
    bounds: {
      kills: { atLeast: 100 },
      acknowledged: { atLeast: 1_000 },
      ...held,
    },
    run: async () => ({ figures: await killDuringUploads({ kills: 100 }), failures: [] }),
  },
  {
    number: 2,
    title: 'alerts survive kill -9',
    bounds: { kills: { atLeast: 10 }, deliveries: { atLeast: 2_000 } },
    run: () => killedDeliveries({ kills: 10, processes: 1 }),
  },
  {
    number: 2,
    title: 'alerts of two processes survive kill -9',
    bounds: { kills: { atLeast: 3 }, deliveries: { atLeast: 600 } },
    run: () => killedDeliveries({ kills: 3, processes: 2 }),
  },
  {
    number: 2,
    title: 'incidents, their alerts and approvals survive kill -9',
    bounds: {
      kills: { atLeast: 40 },
      incidents: { atLeast: 200 },
      warnings: { atLeast: 80 },
      deliveries: { atLeast: 1_000 },
    },
    run: () => killedIncidents({ kills: 40 }),
  },
  {
    number: 3,
    title: 'each deadline is warned of once',
    bounds: { kills: { atLeast: 20 }, reports: { atLeast: 1_000 }, deliveries: { atLeast: 2_000 } },
    run: () => killedWarnings({ kills: 20, reports: 50 }),
  },
  {
    number: 4,
    title: 'recovery after kill -9',
    bounds: {
      ...held,
      longestReadyMs: { below: 3_000 },
      longestOrphanMs: { below: 35_000 },
    },
    run: async () => ({ figures: { ...(await runRecovery({ kills: 5, senders: 4 })) }, failures: [] }),
  },
  {
    number: 5,
    title: 'the embedded store goes away',
    bounds: outage,
    run: () => storeAway('embedded'),
  },
  {
    number: 5,
    title: 'an external store goes away',
    bounds: outage,
    run: () => storeAway('external'),
  },
  {
    number: 6,
    title: 'mutated bodies',
    bounds: { sent: { atLeast: 30_000 }, slowestMs: { atMost: 2_000 } },
    run: () => mutatedBodies({ count: 10_000 }),
  },
  {
    number: 7,
    title: 'bombs',
    bounds: {
      files: { atLeast: 25 },
      slowestAnswerMs: { below: 2_000 },
      httpGrowthMB: { below: 100 },
      parserPeakMB: { below: 512 },
    },
    run: bombs,
  },
  {
    number: 8,
    title: 'memory while large files arrive',
    bounds: { httpPeakMB: { below: 200 }, parserPeakMB: { below: 512 }, slowestUploadMs: { atMost: 10_000 } },
    run: () =>
      only(largeUploads(), ['httpPeakMB', 'httpAfterMB', 'parserPeakMB', 'parserAfterMB', 'slowestUploadMs']),
  },
  {
    number: 9,
    title: 'small requests meanwhile',
    bounds: { smallRequestP99Ms: { below: 50 }, smallRequestMaxMs: { below: 250 } },
    run: () => only(largeUploads(), ['smallRequestP99Ms', 'smallRequestMaxMs', 'smallRequests']),
  },
  {
    number: 10,
    title: 'event loop of the HTTP process meanwhile',
    bounds: { eventLoopMaxMs: { below: 50 } },
    run: () => only(largeUploads(), ['eventLoopMaxMs']),
  },
  {
    number: 11,
    title: 'the rate limit is exact',
    bounds: { requests: { atLeast: 500 }, passed: { exactly: 60 }, passedAfterRestart: none },
    run: () => withTwoProcesses(async (lab) => split(await runRateLimit(lab))),
  },
  {
    number: 12,
    title: 'workspaces are isolated',
    bounds: {
      routes: { atLeast: 250 },
      withoutEntry: none,
      requests: { atLeast: 10_000 },
      leaks: none,
      changes: none,
      askers: { atLeast: 9 },
    },
    run: isolation,
  },
  {
    number: 13,
    title: 'hostile destinations',
    bounds: { destinations: { atLeast: 150 }, rebindings: { atLeast: 50 }, canaryConnections: none },
    run: hostileDestinations,
  },
  {
    number: 14,
    title: 'slow and broken receivers',
    bounds: {
      peers: { atLeast: 8 },
      fewestTimeoutMs: { atLeast: 4_900 },
      slowestMs: { atMost: 5_500 },
      slowestHealthyMs: { below: 10_000 },
      maxFromSigningMs: { atMost: 2_000 },
    },
    run: slowReceivers,
  },
  {
    number: 15,
    title: 'signatures',
    bounds: { deliveries: { exactly: 1_000 }, distinctIds: { exactly: 1_000 } },
    run: signedDeliveries,
  },
  {
    number: 16,
    title: 'order of checks',
    bounds: { pairs: { atLeast: 40 } },
    run: () =>
      withTwoProcesses(({ db, services: [service] }) =>
        runOrderOfChecks({ db, baseUrl: service.baseUrl, now: testNow }),
      ),
  },
  {
    number: 17,
    title: 'identical uploads at once',
    bounds: { rounds: { atLeast: 50 }, onceNew: { atLeast: 50 }, serverErrors: none },
    run: identicalUploads,
  },
  {
    number: 18,
    title: 'every answer of the feed is whole while it changes',
    bounds: {
      publications: { atLeast: 100 },
      documentsChecked: { atLeast: 50 },
      hostilePaths: { atLeast: 200 },
    },
    run: () =>
      withTwoProcesses(({ services, db, company }) =>
        runPublishedFeed({
          db,
          company,
          publications: 100,
          readers: 20,
          baseUrls: services.map(({ baseUrl }) => baseUrl),
        }),
      ),
  },
  {
    number: 19,
    title: 'no text runs in a page',
    bounds: {
      payloads: { atLeast: 30 },
      fields: { atLeast: 25 },
      shown: { atLeast: 600 },
      mailed: { atLeast: 60 },
      executions: none,
      outboundRequests: none,
      policyBreaches: none,
    },
    run: xss,
  },
  {
    number: 20,
    title: 'no secret is stored, logged or shown twice',
    bounds: {
      secrets: { atLeast: 25 },
      answers: { atLeast: 120 },
      dumpKB: { atLeast: 20 },
      logKB: { atLeast: 10 },
    },
    run: secrets,
  },
  {
    number: 21,
    title: 'slow clients',
    bounds: { otherP99Ms: { below: 100 } },
    run: slowClients,
  },
  {
    number: 22,
    title: 'the parser is killed',
    bounds: { kills: { atLeast: 50 }, stored: { atLeast: 50 } },
    run: parserKilled,
  },
  {
    number: 23,
    title: 'a revoked token is refused at once',
    bounds: { asked: { atLeast: 100 }, acceptedAfter: none },
    run: () => withTwoProcesses(async (lab) => split(await runRevocation(lab))),
  },
  {
    number: 24,
    title: 'being refused takes as long, whatever is wrong',
    bounds: { tokenDifferencePercent: { atMost: 5 }, signInDifferencePercent: { atMost: 10 } },
    run: timing,
  },
  {
    number: 25,
    title: 'graceful stop under load',
    bounds: {
      stops: { atLeast: 20 },
      missing: none,
      duplicateRows: none,
      cutAnswers: none,
      slowestStopMs: { atMost: 10_000 },
    },
    run: async () => ({ figures: await stopUnderLoad({ stops: 20 }), failures: [] }),
  },
  {
    number: 26,
    title: 'a restored backup is the same service',
    bounds: {
      tables: { atLeast: 60 },
      rows: { atLeast: 300 },
      chained: { atLeast: 40 },
      feedFiles: { atLeast: 63 },
      warnedBefore: { atLeast: 1 },
      warnedAfter: { atLeast: 1 },
    },
    run: restoredBackup,
  },
  {
    number: 27,
    title: 'the host of the store falls silent',
    bounds: {
      ...held,
      longestOutageMs: { below: 10_000 },
      longestJobOutageMs: { below: 10_000 },
      longestReturnMs: { below: 10_000 },
      slowestProbeMs: { below: 2_500 },
      uncommittedSeenMs: { below: 15_000 },
      stopMs: { below: 10_000 },
    },
    run: silentStore,
  },
  {
    number: 28,
    title: 'hostile requests of strangers',
    bounds: {
      hostileRequests: { atLeast: 2_500 },
      otherMaxMs: { below: 100 },
      unfinishedJSONGrowthMB: { below: 60 },
      unfinishedJSONOthersP99Ms: { below: 100 },
      unfinishedFormsGrowthMB: { below: 250 },
      unfinishedFormsOthersP99Ms: { below: 100 },
      bodiesThatDripGrowthMB: { below: 60 },
      bodiesThatDripOthersP99Ms: { below: 100 },
      formsInTinyChunksGrowthMB: { below: 60 },
      formsInTinyChunksOthersP99Ms: { below: 100 },
      bodiesWithoutEndGrowthMB: { below: 60 },
      bodiesWithoutEndOthersP99Ms: { below: 100 },
      pipelinedQuestionsGrowthMB: { below: 250 },
      pipelinedQuestionsOthersP99Ms: { below: 100 },
      readersThatTakeNothingGrowthMB: { below: 250 },
      readersThatTakeNothingOthersP99Ms: { below: 100 },
      connectionsWithoutAWordGrowthMB: { below: 60 },
      connectionsWithoutAWordOthersP99Ms: { below: 100 },
    },
    run: hostileStrangers,
  },
  {
    number: 29,
    title: 'full spam',
    bounds: {
      spam: { atLeast: 100 },
      keptBytes: none,
      grownMB: { below: 20 },
      fileRefused: { exactly: 1 },
      wordsTaken: { exactly: 1 },
      othersTaken: { exactly: 1 },
    },
    run: fullSpam,
  },
  {
    number: 30,
    title: 'promotion of a standby',
    bounds: {
      ...held,
      backAfterMs: { below: 5_000 },
      jobsBackAfterMs: { below: 5_000 },
      silentBackAfterMs: { below: 10_000 },
      silentJobsBackAfterMs: { below: 10_000 },
    },
    run: promotion,
  },
  {
    number: 31,
    title: 'object store under kills',
    bounds: {
      kills: { atLeast: 30 },
      acknowledged: { atLeast: 240 },
      missing: none,
      orphans: none,
      staged: { atLeast: 1 },
    },
    run: async () => ({ figures: await runObjectStoreKills({ kills: 30 }), failures: [] }),
  },
  {
    number: 32,
    title: 'many processes behind a pooler',
    bounds: {
      ...held,
      acknowledged: { atLeast: 1_000 },
      drops: { atLeast: 10 },
      sessions: { atMost: 25 },
      backAfterMs: { below: 5_000 },
    },
    run: behindPooler,
  },
]
