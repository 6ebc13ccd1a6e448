import { ServiceError } from '../../../contract/errors.ts'
import * as contract from '../../../contract/people/operations/members.ts'
import type { AppOperation } from '../../../contract/operation.ts'
import { isAllowed } from '../../../contract/roles.ts'
import { changeRole, isAboutOwner, removeMember } from '../../../people/members/change-member.ts'
import {
  invite,
  listInvitations,
  resendInvitation,
  withdrawInvitation,
} from '../../../people/members/invite.ts'
import { acceptInvitation, describeInvitation, joinByInvitation } from '../../../people/members/join.ts'
import { listMembers } from '../../../people/members/list-members.ts'
import { requireRoleAllows } from '../../../people/members/owner-rules.ts'
import { confirmPassword } from '../../../people/fresh.ts'
import { selectSession } from '../../../people/people.ts'
import { originOf } from '../../client-address.ts'
import { routesOf, type Asked } from '../routing/handle.ts'
import { signedInPerson } from '../routing/member.ts'
import { sessionSecret, setSessionCookie } from '../routing/session-cookie.ts'

type AsMember = Asked<AppOperation & { permission: 'manage_members' }>

function actOf({ workspaceId, workspace, role, actor, now }: Omit<AsMember, 'body' | 'params' | 'query'>) {
  return { workspaceId, companyName: workspace.company_name, role, actor, now }
}

/** Who belongs to a workspace, and who is invited to. */
export const memberRoutes = routesOf(contract, {
  listMembers: async ({ workspaceId, role, actor, now, deps }) => ({
    members: await listMembers(deps.db, { workspaceId, asking: actor.id }),
    invitations: isAllowed(role, 'manage_members') ? await listInvitations(deps.db, workspaceId, now) : null,
  }),

  changeRole: async (asked) => {
    const { params, body, deps } = asked
    const change = { personId: params.person, role: body.role }
    if (await isAboutOwner(deps.db, asked, change)) await confirm(asked, body.password)
    await changeRole(deps.db, actOf(asked), change)
  },

  removeMember: async (asked) => {
    const { params, body, deps } = asked
    if (await isAboutOwner(deps.db, asked, { personId: params.person })) await confirm(asked, body.password)
    await removeMember(deps.db, actOf(asked), params.person)
  },

  leaveWorkspace: async (asked) => {
    const { person, deps, now } = asked
    await removeMember(deps.db, actOf(asked), person.personId)
    return selectSession(deps.db, person.personId, { now, only: person.companyWorkspaceId })
  },

  invite: async (asked) => {
    const { body, deps } = asked
    requireRoleAllows(asked.role, body.role)
    if (body.role === 'owner') await confirm(asked, body.password)
    return { id: await invite(deps, actOf(asked), body) }
  },

  resendInvitation: (asked) => resendInvitation(asked.deps, actOf(asked), asked.params.invitation),

  withdrawInvitation: (asked) => withdrawInvitation(asked.deps.db, actOf(asked), asked.params.invitation),

  getInvitation: ({ body, now, deps }) => describeInvitation(deps.db, { ...body, now }),

  acceptInvitation: async ({ body, now, deps, request, reply }) => {
    const replacedSecret = sessionSecret(deps, request)
    const { slug, ...session } = await acceptInvitation(deps, {
      ...body,
      origin: originOf(request),
      replacedSecret,
      now,
    })
    setSessionCookie(deps, reply, session)
    return { ...(await selectSession(deps.db, session.personId, { now })), slug }
  },

  joinByInvitation: async ({ body, person, now, deps, request }) => {
    const { slug } = await joinByInvitation(deps.db, { ...body, person, origin: originOf(request), now })
    return { ...(await selectSession(deps.db, person.personId, { now })), slug }
  },
})

/** Acts on an owner need a fresh confirmation. */
async function confirm(
  { deps, request, now }: Pick<AsMember, 'deps' | 'request' | 'now'>,
  password: string | undefined,
): Promise<void> {
  if (password === undefined || password === '') {
    throw new ServiceError('invalid_request', {
      fields: { password: 'Your password is required to make somebody an owner, or to take that role away.' },
    })
  }
  const person = await signedInPerson(deps, request, now)
  await confirmPassword(deps, { person, ...originOf(request), now, password })
}
