import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../../../src/database/connection.ts'
import { createClock } from '../../../src/platform/clock.ts'
import { provision } from '../../../src/provision/provision.ts'
import { sceneKeys, type AlertScene } from '../../alerts/alert-scene.ts'
import { testNow } from '../../support/clock.ts'
import type { Company } from '../../support/company.ts'
import type { ReceiverLab } from '../../support/receivers.ts'
import { startService, type Service } from '../../support/service.ts'
import { startWorkProcess, type WorkProcess } from '../../support/work-process.ts'
import { openReceivers, withAlertLab } from './alert-lab.ts'
import { compareIncidents, untilAllIsDone } from './compare-incidents.ts'
import { IncidentArrivals } from './incident-arrivals.ts'
import { IncidentMembers } from './incident-members.ts'
import { reportingTime, withClockFrom } from './moved-clock.ts'
import type { Outcome } from './outcome.ts'

type Order = {
  db: Db
  /** Store settings for the processes. */ storeEnv: Record<string, string>
  kills: number
}

const patienceMs = 120_000

/**
 * SBOMs, records and catalogue entries arrive and open incidents, members determine and approve them, while one process after the other is
 * killed: two workers and one HTTP process. At the end every expected incident, event, warning and approval exists exactly once.
 */
export function killDuringIncidents(order: Order): Promise<Outcome> {
  return withClockFrom(reportingTime, (clockFile) =>
    withAlertLab(order.db, (scene, lab) => run({ ...order, scene, lab, clockFile })),
  )
}

type Run = Order & { scene: AlertScene; lab: ReceiverLab; clockFile: string }

async function run({ db, storeEnv, kills, scene, lab, clockFile }: Run): Promise<Outcome> {
  const watched = await openWorkspace(db)
  const receivers = await openReceivers(scene, lab, {
    name: 'watching',
    count: 2,
    workspaceId: watched.workspaceId,
  })
  const env = {
    ...storeEnv,
    ...lab.env(),
    ENCRYPTION_KEYS: sceneKeys,
    LAB_CLOCK_OFFSET_FILE: clockFile,
    LOG_LEVEL: 'warn',
  }
  const service = await startService({ env, role: 'serve', readyWithinMs: patienceMs })
  const working: [WorkProcess, WorkProcess] = [startWorkProcess(env), startWorkProcess(env)]
  const arrivals = new IncidentArrivals({
    db,
    service,
    families: watched.families,
    now: createClock(clockFile),
  })
  const members = await IncidentMembers.signIn(db, { ...watched, baseUrl: service.baseUrl })
  try {
    await killWhile({ kills, env, service, working, arrivals, members })
    await untilAllIsDone(db, { members, expected: arrivals.count * watched.families.length })
    const compared = await compareIncidents(db, { ...watched, receivers, count: arrivals.count })
    return {
      figures: { kills, ...compared.figures },
      failures: [...members.failures, ...compared.failures],
    }
  } finally {
    arrivals.close()
    await Promise.all([service.stop(), ...working.map(({ stop }) => stop())])
  }
}

type Killing = {
  kills: number
  env: Record<string, string>
  service: Service
  working: [WorkProcess, WorkProcess]
  arrivals: IncidentArrivals
  members: IncidentMembers
}

/** Lets things arrive and members work until the last kill is over. */
async function killWhile({ kills, env, service, working, arrivals, members }: Killing): Promise<void> {
  const over = new AbortController()
  const arriving = whileNot(over.signal, () => arrivals.next())
  const deciding = whileNot(over.signal, async () => {
    if ((await members.workThrough()) === 0) await sleep(20)
  })
  const killing = async () => {
    for (let kill = 0; kill < kills; kill += 1) {
      const before = arrivals.count
      while (arrivals.count === before && !over.signal.aborted) await sleep(5)
      await sleep((kill * 97) % 400)
      await killOne(kill, { env, service, working })
    }
  }
  const ended = killing().finally(() => over.abort())
  // a failure ends the others
  for (const one of [arriving, deciding]) one.catch(() => over.abort())
  await Promise.all([arriving, deciding, ended])
}

async function whileNot(over: AbortSignal, act: () => Promise<unknown>): Promise<void> {
  while (!over.aborted) await act()
}

async function killOne(
  kill: number,
  { env, service, working }: Pick<Killing, 'env' | 'service' | 'working'>,
) {
  if (kill % 3 === 2) {
    await service.kill()
    await service.restart()
    return
  }
  const place = kill % 3 === 0 ? 0 : 1
  await working[place].kill()
  working[place] = startWorkProcess(env)
}

type Watched = {
  workspaceId: string
  slug: string
  families: Company[]
  members: [Member, Member]
}
type Member = { id: string; email: string; password: string }

const names = ['Pump', 'Valve', 'Gauge', 'Meter', 'Switch']

/** Some families, a lead and an owner. */
async function openWorkspace(db: Db): Promise<Watched> {
  const slug = 'watched'
  const password = 'a long enough password'
  const asked = (['lead', 'owner'] as const).map((role) => {
    return { email: `${role}@${slug}.example`, name: role, role, password }
  })
  const workspace = {
    slug,
    companyName: slug,
    securityContactEmail: `security@${slug}.example`,
    plan: 'core',
    members: asked,
    families: names.map((name) => ({ name })),
  }
  const [made] = (await provision(db, { workspaces: [workspace] }, testNow)).workspaces
  const workspaceId = made?.id ?? ''
  const [lead, owner] = (made?.members ?? []).map(({ id = '', email }) => ({ id, email, password }))
  if (lead === undefined || owner === undefined) throw new Error('the members were not made')
  const families = (made?.families ?? []).map(({ id = '' }) => ({ workspaceId, familyId: id, slug }))
  return { workspaceId, slug, families, members: [lead, owner] }
}
