import type { Db } from '../../src/database/connection.ts'
import { provision } from '../../src/provision/provision.ts'
import { testNow } from './clock.ts'
import { quickHash } from './quick-hash.ts'

export type TestFamily = { id: string; upload: string; results: string }
export type TestWorkspace = {
  id: string
  slug: string
  families: TestFamily[]
  workspaceToken: string
  members: Record<'owner' | 'viewer', { id: string; email: string; password: string }>
}

export type SceneOptions = {
  families?: number
  plan?: 'trial' | 'starter' | 'core' | 'plus' | 'free' | 'closed'
}

/**
 * Two workspaces with the same names in them, each with families, all kinds of tokens, an owner and a viewer: anything of one that shows in
 * the other is a leak.
 */
export async function createScene(
  db: Db,
  options: SceneOptions = {},
): Promise<[TestWorkspace, TestWorkspace]> {
  return [await createWorkspace(db, 'acme', options), await createWorkspace(db, 'umbrella', options)]
}

async function createWorkspace(db: Db, slug: string, options: SceneOptions): Promise<TestWorkspace> {
  const password = 'a long enough password'
  const families = Array.from({ length: options.families ?? 2 }, (_, index) => ({
    name: `Pump ${index + 1}`,
    tokens: [
      { name: 'ci', kind: 'upload' },
      { name: 'gate', kind: 'results' },
    ],
  }))
  const members = (['owner', 'viewer'] as const).map((role) => ({
    email: `${role}@${slug}.example`,
    name: `${role} of ${slug}`,
    role,
    password,
  }))
  const document = {
    workspaces: [
      {
        slug,
        companyName: `${slug} company`,
        securityContactEmail: `security@${slug}.example`,
        plan: options.plan ?? 'core',
        members,
        families,
        tokens: [{ name: 'ops', access: 'manage_destinations' }],
      },
    ],
  }
  const [made] = (await provision(db, document, testNow, { hash: quickHash })).workspaces
  if (made?.id === undefined) throw new Error('the workspace was not made')
  const [owner, viewer] = members.map((member, index) => ({
    id: made.members?.[index]?.id ?? '',
    email: member.email,
    password,
  }))
  if (owner === undefined || viewer === undefined) throw new Error('the members were not made')
  return {
    id: made.id,
    slug,
    families: (made.families ?? []).map((family) => ({
      id: family.id ?? '',
      upload: family.tokens?.[0]?.token ?? '',
      results: family.tokens?.[1]?.token ?? '',
    })),
    workspaceToken: made.tokens?.[0]?.token ?? '',
    members: { owner, viewer },
  }
}
