import type { Db } from '../../src/database/connection.ts'
import { createToken } from '../../src/products/tokens/create-token.ts'
import { provision } from '../../src/provision/provision.ts'
import { testNow } from './clock.ts'
import { tester } from './actors.ts'

/** A workspace with one family, for tests that send uploads. */
export type Company = { workspaceId: string; familyId: string; slug: string }

type Plan = 'trial' | 'starter' | 'core' | 'plus' | 'free' | 'closed'

export async function createCompany(db: Db, slug: string, plan: Plan = 'core'): Promise<Company> {
  const workspace = { slug, companyName: slug, securityContactEmail: `security@${slug}.example`, plan }
  const { workspaces } = await provision(
    db,
    { workspaces: [{ ...workspace, families: [{ name: 'Pump' }] }] },
    testNow,
  )
  const made = workspaces[0]
  const family = made?.families?.[0]
  if (made?.id === undefined || family?.id === undefined) throw new Error('nothing was provisioned')
  return { workspaceId: made.id, familyId: family.id, slug }
}

/** A new token of the company's family, with its own hourly limit. */
export async function createFamilyToken(
  db: Db,
  { workspaceId, familyId }: Company,
  { kind = 'upload', expiresAt = null }: { kind?: 'upload' | 'results'; expiresAt?: Date | null } = {},
): Promise<{ id: string; secret: string }> {
  return createToken(db, {
    workspaceId,
    kind,
    familyId,
    name: 'ci',
    expiresAt,
    actor: tester,
    now: testNow,
  })
}
