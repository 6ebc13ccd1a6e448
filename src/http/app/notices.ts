import { listBell, markAllRead, markRead } from '../../notices/bell.ts'
import { changeNoticeSettings, readNoticeSettings } from '../../notices/choices.ts'
import * as contract from '../../contract/notices/operations.ts'
import type { AppOperation } from '../../contract/operation.ts'
import { selectMembership } from '../../people/people.ts'
import { refuseOtherCompany } from '../../people/company-sign-in/settings.ts'
import { clientAddress } from '../client-address.ts'
import { routesOf, type Asked } from './routing/handle.ts'

/** What a person is told, and what they chose to be told. */
export const noticeRoutes = routesOf(contract, {
  listBell: async ({ workspaceId, role, actor, params, query, deps }) =>
    listBell(deps.db, { workspaceId, role, personId: actor.id ?? '', slug: params.slug }, query.cursor),

  markRead: async ({ params, now, ...asked }) =>
    markRead(asked.deps.db, { ...(await own(asked, params)), entryId: params.entry, now }),

  markAllRead: async ({ params, now, ...asked }) =>
    markAllRead(asked.deps.db, { ...(await own(asked, params)), now }),

  getNoticeSettings: async ({ workspaceId, role, actor, deps }) =>
    readNoticeSettings(deps.db, { workspaceId, role, personId: actor.id ?? '' }),

  changeNoticeSettings: async ({ params, body, now, ...asked }) => {
    const { workspaceId, personId } = await own(asked, params)
    const { person, request, deps } = asked
    const from = { requestId: request.id, address: clientAddress(request) }
    const actor = { kind: 'person', id: personId, name: person.name, ...from } as const
    await changeNoticeSettings(deps.db, { workspaceId, personId, actor, now }, body)
  },
})

type SignedIn = Asked<AppOperation & { permission: 'signed_in' }>

/** A person's own things in a workspace, whatever they may do in it. Codes: `not_found`. */
async function own({ person, deps }: Pick<SignedIn, 'person' | 'deps'>, { slug }: { slug: string }) {
  const { personId } = person
  const membership = await selectMembership(deps.db, personId, slug)
  refuseOtherCompany(membership.workspaceId, person)
  return { personId, ...membership }
}
