import {
  changeAdvisoryTrackingId,
  createAdvisory,
  deleteAdvisoryDraft,
  setAdvisoryDraftState,
} from '../../src/contract/advisories/operations.ts'
import {
  addDestination,
  renewDestinationSecret,
  testDestination,
} from '../../src/contract/alerts/operations.ts'
import {
  hideCredit,
  linkReportToIncident,
  markDuplicate,
  markNotSpam,
  markSpam,
  noteOnReport,
  noteOutsideAnswer,
  changeReport,
  showCredit,
  unlinkReportFromIncident,
} from '../../src/contract/disclosure/operations.ts'
import { endSession, listSessions } from '../../src/contract/people/operations/account.ts'
import { invite, resendInvitation } from '../../src/contract/people/operations/members.ts'
import { signOut } from '../../src/contract/people/operations/session.ts'
import { oneOf, person, type Act, type Recorded } from './act.ts'
import { advisory, as, idOf, make, sendReport, scene } from './acts-scene.ts'

const received: Recorded = ['report.received', 'system', 'report form']
const first = { number: '1' }
const second = { number: '2' }
const third = { number: '3' }

/** On the report that incidents are linked with, and on two later ones, which say the same and so are spam until somebody has looked. */
export const reportActs: Act[] = [
  {
    what: 'two more reports',
    recorded: [received, received],
    act: async () => {
      await sendReport()
      await sendReport()
    },
  },
  oneOf('report.not_spam', 'editor', () => as('editor').call(markNotSpam, { params: second })),
  {
    what: 'an answer elsewhere, which acknowledges',
    recorded: [person('report.acknowledged', 'editor'), person('report.answered_outside', 'editor')],
    act: () => as('editor').call(noteOutsideAnswer, { params: second, body: { text: 'By telephone.' } }),
  },
  oneOf('report.note_added', 'editor', () =>
    as('editor').call(noteOnReport, { params: second, body: { text: 'For us alone.' } }),
  ),
  oneOf('report.duplicate_of', 'editor', () =>
    as('editor').call(markDuplicate, { params: second, body: { of: 1 } }),
  ),
  {
    what: 'a report taken out of spam, and put back',
    recorded: [person('report.not_spam', 'editor'), person('report.marked_spam', 'editor')],
    act: async () => {
      await as('editor').call(markNotSpam, { params: third })
      await as('editor').call(markSpam, { params: third })
    },
  },
  {
    what: 'an incident linked to a report',
    recorded: [person('report.incident_linked', 'editor'), person('incident.report_linked', 'editor')],
    act: () =>
      as('editor').call(linkReportToIncident, { params: first, body: { incident: idOf('incident') } }),
  },
  {
    what: 'an incident unlinked from a report',
    recorded: [person('report.incident_unlinked', 'editor'), person('incident.report_unlinked', 'editor')],
    act: () =>
      as('editor').call(unlinkReportFromIncident, { params: { ...first, incident: idOf('incident') } }),
  },
  oneOf('report.changed', 'editor', () =>
    as('editor').call(changeReport, { params: first, body: { creditConsent: true } }),
  ),
  oneOf('report.credited', 'editor', () =>
    as('editor').call(showCredit, { params: first, body: { name: 'Rita', link: null } }),
  ),
  oneOf('report.credit_removed', 'editor', () => as('editor').call(hideCredit, { params: first })),
]

export const draftActs: Act[] = [
  {
    ...oneOf('advisory.created', 'editor', async () =>
      make('draft', as('editor').call(createAdvisory, { body: { content: await advisory() } })),
    ),
    what: 'another advisory',
  },
  oneOf('advisory.tracking_id_changed', 'editor', () =>
    as('editor').call(changeAdvisoryTrackingId, {
      params: { advisory: idOf('draft') },
      body: { trackingId: 'ACME-2026-77' },
    }),
  ),
  oneOf('advisory.draft_state', 'editor', () =>
    as('editor').call(setAdvisoryDraftState, {
      params: { advisory: idOf('draft') },
      body: { revision: 1, state: 'in_review' },
    }),
  ),
  oneOf('advisory.draft_deleted', 'editor', () =>
    as('editor').call(deleteAdvisoryDraft, { params: { advisory: idOf('draft') }, query: { revision: 1 } }),
  ),
]

export const destinationActs: Act[] = [
  {
    ...oneOf('destination.added', 'admin', () =>
      make(
        'webhook',
        as('admin').call(addDestination, {
          body: {
            kind: 'webhook',
            name: 'records',
            url: 'https://hooks.acme.example/records',
            events: ['incident.opened'],
          },
        }),
      ),
    ),
    what: 'a destination that a member adds',
  },
  oneOf('destination.secret_renewed', 'admin', () =>
    as('admin').call(renewDestinationSecret, { params: { destination: idOf('webhook') } }),
  ),
  oneOf('destination.tested', 'admin', () =>
    as('admin').call(testDestination, { params: { destination: idOf('webhook') } }),
  ),
]

export const accountActs: Act[] = [
  {
    what: 'a sign-out',
    recorded: [person('person.signed_in', 'editor'), person('person.signed_out', 'editor')],
    act: async () => (await scene.signIn('editor')).call(signOut),
  },
  {
    what: 'a session that its person ends',
    recorded: [person('person.signed_in', 'editor'), person('person.session_ended', 'editor')],
    act: async () => {
      await scene.signIn('editor')
      const { sessions } = await as('editor').call(listSessions)
      const other = sessions.find(({ isThis }) => !isThis)
      return as('editor').call(endSession, { params: { session: other?.id } })
    },
  },
  {
    what: 'an invitation that is sent again',
    recorded: [person('invitation.sent', 'admin'), person('invitation.sent_again', 'admin')],
    act: async () => {
      await make(
        'invitation',
        as('admin').call(invite, { body: { email: 'o@acme.example', role: 'editor' } }),
      )
      await as('admin').call(resendInvitation, { params: { invitation: idOf('invitation') } })
    },
  },
]
