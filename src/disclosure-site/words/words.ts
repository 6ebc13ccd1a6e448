import type { ReportState } from '../../contract/disclosure/shapes.ts'
import type { FieldProblem } from '../../disclosure/form/read-report.ts'

/** What kept a form from being taken, said above it. */
export type FormTrouble =
  | 'stale'
  | 'sent_twice'
  | 'too_large'
  | 'too_much_text'
  | 'no_room'
  | 'too_many_files'
  | 'thread_full'
  | 'empty_file'
  | 'not_utf8'
  | 'broken'
  | 'fields'
  | 'too_often'
  | 'not_stored'

type Section = { title: string; text: string }

/** The fixed words of the public pages, in one language. */
export type Words = {
  /** Of the language, in itself. */
  language: string
  policyTitle: string
  advisories: string
  acknowledgments: string
  languages: string
  /** Introduces the page; the e-mail address follows in its own sentence. */
  intro: (company: string) => string
  byMail: string
  toForm: string
  encryption: string
  /** The policy where the company has written none. */
  policy: (facts: { company: string; promiseDays: number | null; embargoDays: number }) => Section[]
  ownPolicy: string
  form: {
    title: string
    about: string
    required: string
    product: string
    otherProduct: string
    productName: string
    version: string
    reportTitle: string
    description: string
    descriptionHint: string
    impact: string
    type: string
    typeHint: string
    cve: string
    exploited: string
    yes: string
    no: string
    unknown: string
    exploitedHint: string
    embargo: string
    embargoHint: string
    toldOthers: string
    creditTitle: string
    creditNone: string
    creditNamed: string
    creditName: string
    creditOrganisation: string
    creditLink: string
    creditConsent: string
    contactTitle: string
    contactHint: string
    /** Where no mail server is configured. */
    contactHintWithoutMail: string
    contactName: string
    contactEmail: string
    attachments: string
    attachmentsHint: string
    trap: string
    send: string
  }
  problems: Record<FieldProblem, string>
  troubles: Record<FormTrouble, string>
  closedForm: string
  status: {
    title: (number: number) => string
    received: string
    keepLink: string
    receivedAt: string
    state: string
    acknowledgeBy: string
    yourTitle: string
    attachments: string
    thread: string
    noMessages: string
    you: string
    write: string
    send: string
    unreadable: string
    credit: string
    creditGiven: string
    creditNotGiven: string
    creditShown: string
    creditPublished: string
    giveCredit: string
    withdrawCredit: string
  }
  states: Record<Exclude<ReportState, 'spam'>, string>
  thanks: { title: string; intro: (company: string) => string; none: string }
  notFound: { title: string; text: string }
  /** No page, or no advisory, is at an address. */
  missing: { title: string; page: string; advisory: string }
  tooOften: { title: string; text: string }
}
