import { AppSession } from '../../../support/app-session.ts'
import { payloadOf } from './payloads.ts'
import type { Place, Visit } from './write-payloads.ts'

const password = 'a long enough password'
const reasoning = 'We looked at it together and agreed on this.'

const emailOf = (number: number) => `member-${number}@people.example`

type Made = { id: string }

/**
 * Members who are called what a payload says. The first one writes, determines and makes a token, the others have another role, and
 * all of that is told by mail; the owner, who is called so too in the end, invites to a company of such a name.
 */
export async function writePeople(place: Place, owner: AppSession): Promise<Visit[]> {
  const { baseUrl, slug, payloads } = place
  const people = await addMembers(place)
  const [first = 0] = payloads
  const member = await AppSession.signIn(baseUrl, { email: emailOf(first), password })
  const { body: session } = await owner.call('/session')
  const incidents: string[] = []
  for (const number of payloads) {
    const title = payloadOf(number, 'mailed')
    incidents.push(await mentionOwner(member, { slug, title, person: personOf(session) }))
  }
  const determined = `/workspaces/${slug}/incidents/${incidents[0] ?? ''}/determinations`
  await act(member, 'POST', determined, { value: 'not_severe', reasoning })
  const token = { name: 'made by a member', kind: 'workspace', familyId: null, expiresInDays: null }
  await act(member, 'POST', `/workspaces/${slug}/tokens`, token)
  for (const person of people.slice(1))
    await act(owner, 'PATCH', `/workspaces/${slug}/members/${person}`, { role: 'editor' })
  await act(owner, 'PATCH', '/account/profile', { name: payloadOf(first, 'owner') })
  const invited = { email: 'invited@people.example', role: 'viewer', password: place.owner.password }
  await act(owner, 'POST', `/workspaces/${slug}/invitations`, invited)
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

async function addMembers({ cli, slug, payloads }: Place): Promise<string[]> {
  const members = payloads.map((number, place) => ({
    ...{ email: emailOf(number), name: payloadOf(number, 'member'), role: place === 0 ? 'admin' : 'lead' },
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
  { slug, title, person }: { slug: string; title: string; person: string },
): Promise<string> {
  const incidents = `/workspaces/${slug}/incidents`
  const { id } = await act(member, 'POST', incidents, { kind: 'severe_incident', title, families: [] })
  await act(member, 'POST', `${incidents}/${id}/comments`, { text: title, mentions: [person] })
  return id
}

function personOf(session: unknown): string {
  return (session as { person: Made }).person.id
}

async function act(
  session: AppSession,
  method: 'POST' | 'PATCH',
  path: string,
  body: unknown,
): Promise<Made> {
  const { status, body: said } = await session.call(path, { method, body })
  if (status >= 300) throw new Error(`${path} was answered ${status}: ${JSON.stringify(said)}`)
  return said as Made
}
