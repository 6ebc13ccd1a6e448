import { spawnSync } from 'node:child_process'
import type { AlertType } from '../../../src/contract/alerts/shapes.ts'
import type { Db } from '../../../src/database/connection.ts'
import { allTypes, facts, storedSecret } from '../../alerts/alert-scene.ts'
import { whatDiffers, whyRefused } from '../../alerts/verifier.ts'
import type { Received } from '../../support/receivers.ts'
import { openReceivers, withAlertLab } from './alert-lab.ts'
import type { Outcome } from './outcome.ts'

const hosts = 10

/** Real deliveries over TLS, each checked by the external verifier, unchanged and tampered with. */
export async function runSignedDeliveries({
  db,
  deliveries,
}: {
  db: Db
  deliveries: number
}): Promise<Outcome> {
  return withAlertLab(db, async (scene, lab) => {
    const receivers = await openReceivers(scene, lab, { name: 'signed', count: hosts })
    scene.clock.isReal = true
    for (let event = 0; event < deliveries / hosts; event += 1) {
      const type: AlertType = allTypes[event % allTypes.length] ?? 'incident.opened'
      await scene.tell(scene.acme.id, facts[type])
    }
    await scene.send(lab.outbound())
    const requests = receivers.flatMap((receiver) => receiver.requests)
    const failures = requests.flatMap(problemsOf)
    const ids = new Set(requests.map(({ headers }) => headers['service-event-id']))
    const outside = judgeByOpenssl(requests.slice(0, 25))
    failures.push(...outside.failures)
    return {
      figures: { deliveries: requests.length, distinctIds: ids.size, verifiedByOpenssl: outside.verified },
      failures,
    }
  })
}

function problemsOf(request: Received): string[] {
  const problems = whatDiffers(request)
  const header = String(request.headers['service-signature'])
  const body = Buffer.from(request.body)
  const judge = (change: Partial<{ header: string; body: Buffer; secret: string }>, at = request.at) =>
    whyRefused({ header, body, secret: storedSecret, ...change }, at)
  if (judge({}) !== null) problems.push(`refused: ${judge({}) ?? ''}`)
  const shifted = header.replace(/t=(\d+)/, (_, t: string) => `t=${Number(t) + 1}`)
  const changed = Buffer.from(body)
  changed[changed.length >> 1] = (changed[changed.length >> 1] ?? 0) ^ 1
  const mustBeRefused: Record<string, string | null> = {
    'a changed byte': judge({ body: changed }),
    'a byte more': judge({ body: Buffer.concat([body, Buffer.from(' ')]) }),
    'a shifted time': judge({ header: shifted }),
    'another secret': judge({ secret: `whsec_${'x'.repeat(43)}` }),
    'the secret without its prefix': judge({ secret: storedSecret.slice('whsec_'.length) }),
    'six minutes later': judge({}, new Date(request.at.getTime() + 360_000)),
  }
  for (const [name, refusal] of Object.entries(mustBeRefused))
    if (refusal === null) problems.push(`accepted: ${name}`)
  return problems
}

/** The same by another implementation, if installed. */
function judgeByOpenssl(requests: readonly Received[]): { verified: number; failures: string[] } {
  if (spawnSync('openssl', ['version']).status !== 0) return { verified: Number.NaN, failures: [] }
  const failures: string[] = []
  for (const { headers, body } of requests) {
    const [, t = '', v1 = ''] = /^t=(\d+),v1=(\w+)$/.exec(String(headers['service-signature'])) ?? []
    const { stdout } = spawnSync('openssl', ['dgst', '-sha256', '-hmac', storedSecret, '-r'], {
      input: `${t}.${body}`,
      encoding: 'utf8',
    })
    if (stdout.split(' ')[0] !== v1) failures.push(`openssl computes ${stdout}`)
  }
  return { verified: requests.length - failures.length, failures }
}
