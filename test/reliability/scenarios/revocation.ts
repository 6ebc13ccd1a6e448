import type { Db } from '../../../src/database/connection.ts'
import { revokeToken } from '../../../src/products/tokens/revoke-token.ts'
import { createFamilyToken, type Company } from '../../support/company.ts'
import { call } from '../../support/http.ts'
import { sampleSbom } from '../../support/sample-sbom.ts'
import type { Service } from '../../support/service.ts'
import { testNow } from '../../support/clock.ts'

export type RevocationFigures = {
  /** Requests sent after the revocation was committed, and how many of them were answered 401. */
  asked: number
  refused: number
  /** Uploads under way during the revocation, and stored uploads that started after its commit. */
  underWay: number
  acceptedAfter: number
  failures: string[]
}

type RevocationOptions = {
  db: Db
  company: Company
  /** HTTP processes on one store. */
  services: readonly Service[]
  rounds?: number
}

type Sent = { isAfter: boolean; status: number }

/** Tokens are revoked during uploads with them; the next request on each process must be refused. */
export async function runRevocation({
  db,
  company,
  services,
  rounds = 100,
}: RevocationOptions): Promise<RevocationFigures> {
  const actor = { kind: 'system', id: null, name: 'scenario' } as const
  const sent: Sent[] = []
  for (let round = 0; round < rounds; round += 1) {
    const { id, secret } = await createFamilyToken(db, company)
    const upload = async (service: Service, isAfter: boolean, serial: number) => {
      const body = sampleSbom({ components: 2, serial })
      const answer = await call(`${service.baseUrl}/api/v1/sboms`, { method: 'POST', token: secret, body })
      sent.push({ isAfter, status: answer.status })
    }
    const onEach = (isAfter: boolean, serial: number) =>
      services.map((service, index) => upload(service, isAfter, serial + index))
    const first = 1 + round * services.length * 2
    const before = onEach(false, first)
    await revokeToken(db, { workspaceId: company.workspaceId, tokenId: id, actor, now: testNow })
    await Promise.all([...before, ...onEach(true, first + services.length)])
  }
  return figuresOf(sent)
}

function figuresOf(sent: readonly Sent[]): RevocationFigures {
  const after = sent.filter(({ isAfter }) => isAfter)
  const refused = after.filter(({ status }) => status === 401).length
  const acceptedAfter = after.filter(({ status }) => status < 300).length
  const odd = sent.filter(({ status }) => ![200, 202, 401].includes(status))
  const failures: string[] = []
  if (refused !== after.length) failures.push(`${refused} of ${after.length} were refused after the commit`)
  if (acceptedAfter > 0) failures.push(`${acceptedAfter} were accepted after the commit`)
  for (const { status } of odd) failures.push(`an upload was answered ${status}`)
  return { asked: after.length, refused, underWay: sent.length - after.length, acceptedAfter, failures }
}
