import { getSession } from '#contract/people/operations/session.ts'
import { addComment, recordDetermination } from '#contract/incidents/act-operations.ts'
import { createToken } from '#contract/tokens/operations.ts'
import { changeRole, invite } from '#contract/people/operations/members.ts'
import { changeProfile } from '#contract/people/operations/profile.ts'
import { openIncident } from '#contract/incidents/operations.ts'
import { AppSession } from '../../../support/app-session.ts'
import { payloadOf } from './payloads.ts'
import type { Target, Visit } from './write-payloads.ts'

const password = 'a long enough password'
const reasoning = 'We looked at it together and agreed on this.'

const emailOf = (number: number) => `member-${number}@people.example`

/**
 * Members whose names are payloads. The first one writes, determines and creates a token, the others have another role, and all of it is
 * sent by mail; the owner, renamed at the end too, invites people to a company with such a name.
 */
export async function writePeople(place: Target, owner: AppSession): Promise<Visit[]> {
  const { baseUrl, slug, payloads } = place
  const people = await addMembers(place)
  const [first = 0] = payloads
  const member = await AppSession.signIn(baseUrl, { email: emailOf(first), password })
  const session = await owner.call(getSession)
  const incidents: string[] = []
  for (const number of payloads) {
    const title = payloadOf(number, 'mailed')
    incidents.push(await mentionOwner(member, { title, person: session.person.id }))
  }
  await member.call(recordDetermination, {
    params: { incident: incidents[0] },
    body: { value: 'not_severe', reasoning },
  })
  const token = { name: 'made by a member', kind: 'workspace' as const, familyId: null, expiresInDays: null }
  await member.call(createToken, { body: token })
  for (const person of people.slice(1))
    await owner.call(changeRole, { params: { person }, body: { role: 'editor' } })
  await owner.call(changeProfile, { body: { name: payloadOf(first, 'owner') } })
  const invited = { email: 'invited@people.example', role: 'viewer' as const, password: place.owner.password }
  await owner.call(invite, { body: invited })
  const fields = ['member', 'owner', 'mailed']
  return [
    { path: `/app/${slug}`, fields },
    { path: `/app/${slug}/settings/members`, fields },
    { path: `/app/${slug}/settings/audit`, fields },
    { path: `/app/${slug}/incidents/${incidents[0] ?? ''}`, fields },
    { path: `/app/account`, fields },
  ]
}

type Provisioned = { workspaces: { members: { id: string }[] }[] }

async function addMembers({ cli, slug, payloads }: Target): Promise<string[]> {
  const members = payloads.map((number, place) => ({
    email: emailOf(number),
    name: payloadOf(number, 'member'),
    role: place === 0 ? 'admin' : 'lead',
    ...(place === 0 ? { password } : {}),
  }))
  const company = { companyName: slug, securityContactEmail: `security@${slug}.example`, plan: 'plus' }
  const { workspaces } = await cli<Provisioned>(['provision'], {
    workspaces: [{ slug, ...company, members }],
  })
  return (workspaces[0]?.members ?? []).map(({ id }) => id)
}

async function mentionOwner(
  member: AppSession,
  { title, person }: { title: string; person: string },
): Promise<string> {
  const { id } = await member.call(openIncident, { body: { kind: 'severe_incident', title, families: [] } })
  await member.call(addComment, { params: { incident: id }, body: { text: title, mentions: [person] } })
  return id
}
