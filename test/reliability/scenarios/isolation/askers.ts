import { roles, type Role } from '#contract/roles.ts'
import { provision } from '../../../../src/provision/provision.ts'
import type { Db } from '../../../../src/database/connection.ts'
import { AppSession } from '../../../support/app-session.ts'
import { testNow } from '../../../support/clock.ts'
import type { TestWorkspace } from '../../../support/scene.ts'

/** Who requests things that are not theirs. */
export type Asker = {
  name: string
  /** A signed-in member of another workspace. */
  isMember: boolean
  headers: () => Record<string, string>
  /** After its session has ended. */
  signInAgain: () => Promise<void>
}

const stay = () => Promise.resolve()

/** Without a credential, with each kind of workspace token, and as a member of each role. */
export async function openAskers(
  { url, db }: { url: string; db: Db },
  workspace: TestWorkspace,
): Promise<Asker[]> {
  const [family] = workspace.families
  const tokens = { CI: family?.upload, results: family?.results, workspace: workspace.workspaceToken }
  const askers: Asker[] = [
    { name: 'no credential', isMember: false, headers: () => ({}), signInAgain: stay },
    ...Object.entries(tokens).map(([kind, token]) => ({
      name: `${kind} token`,
      isMember: false,
      signInAgain: stay,
      headers: () => ({ authorization: `Bearer ${token}` }),
    })),
  ]
  const members = roles.map((role) => memberOf(workspace, role))
  const { slug } = workspace
  await provision(
    db,
    {
      workspaces: [
        {
          slug,
          companyName: `${slug} company`,
          securityContactEmail: `security@${slug}.example`,
          plan: 'core',
          members,
        },
      ],
    },
    testNow,
  )
  for (const member of members) askers.push(await asMember(url, member))
  return askers
}

type Member = { email: string; name: string; role: Role; password: string }

function memberOf({ slug }: TestWorkspace, role: Role): Member {
  return {
    email: `asking-${role}@${slug}.example`,
    name: `${role} who asks`,
    role,
    password: 'a long enough password',
  }
}

async function asMember(url: string, member: Member): Promise<Asker> {
  let session = await AppSession.signIn(url, member)
  return {
    name: member.role,
    isMember: true,
    headers: () => session.cookies,
    signInAgain: async () => {
      session = await AppSession.signIn(url, member)
    },
  }
}
