import type { FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError, type ErrorCode } from '../../contract/errors.ts'
import { countReport } from '../../disclosure/form/count-report.ts'
import { spamReasonsOf } from '../../disclosure/form/judge-spam.ts'
import { hiddenFieldName, readReport, type FieldProblems } from '../../disclosure/form/read-report.ts'
import { judgeStamp, newStamp, quickestMs, type FormKind } from '../../disclosure/form/stamp.ts'
import { receiveReport } from '../../disclosure/reports/receive-report.ts'
import { listOfferedFamilies } from '../../disclosure/settings/public-disclosure.ts'
import { networkOf } from '../../platform/client-address.ts'
import type { KeyRing } from '../../platform/sealing/key-ring.ts'
import { noWorkspace } from '../bodies/arriving-bodies.ts'
import { clientAddress } from '../client-address.ts'
import type { HttpDeps } from '../deps.ts'
import { inLanguage, rootOf, type Shown } from '../../disclosure-site/company-page.ts'
import { answerPage } from './answer-page.ts'
import { retryAfterOf, troubleStatus } from '../../disclosure-site/trouble-status.ts'
import { policyPage } from '../../disclosure-site/policy-page.ts'
import { inPublicShare } from '../exchange/public-share.ts'
import { readForm, type SentForm } from './read-form.ts'
import type { FormTrouble } from '../../disclosure-site/words/words.ts'

export type Asked = { deps: HttpDeps; request: FastifyRequest; reply: FastifyReply; shown: Shown }

/** Accepts a report, or shows the form again with what was typed and why it was refused. Codes: `not_found`, `timeout`, `internal`. */
export async function sendReport(asked: Asked): Promise<FastifyReply> {
  const { deps, request } = asked
  const form = await readForm(request.raw, { bodies: deps.bodies, owner: senderOf(asked) })
  return inPublicShare(asked, () => judgeReport(asked, form))
}

async function judgeReport(asked: Asked, form: SentForm): Promise<FastifyReply> {
  const { deps, reply, shown } = asked
  const ring = await usableRing(deps)
  if (ring === null) return showAgain(asked, { form, ring, trouble: null })
  if (form.problem !== null) return showAgain(asked, { form, ring, trouble: form.problem })
  const { workspaceId } = shown.disclosure
  const now = deps.now()
  const judged = judgeStamp(ring, form.fields.get('stamp') ?? '', { workspaceId, kind: 'report', now })
  if (judged.kind !== 'valid') return showAgain(asked, { form, ring, trouble: 'stale' })
  const families = await listOfferedFamilies(deps.db, workspaceId)
  const { fields, problems } = readReport(form.fields, families)
  if (problems.size > 0) return showAgain(asked, { form, ring, trouble: 'fields', problems })
  const hits = await countReport(deps.db, ring, { workspaceId, address: clientAddress(asked.request), now })
  if (hits === undefined) return showAgain(asked, { form, ring, trouble: 'too_often' })
  const { text } = fields
  const hiddenField = form.fields.get(hiddenFieldName) ?? ''
  const receiving = {
    disclosure: shown.disclosure,
    fields,
    attachments: form.attachments,
    language: shown.language,
    nonce: judged.nonce,
    suspicion: spamReasonsOf({ text, hiddenField, ageMs: judged.ageMs, hits }),
    clock: deps.now,
    sealing: deps.sealing,
    originals: deps.originals,
  }
  const received = await receiveReport(deps.db, receiving).catch((error: unknown) => {
    if (isRefused(error, 'conflict')) return 'sent_twice'
    if (isRefused(error, 'not_configured')) return 'no_key'
    if (isRefused(error, 'too_large')) return 'no_room'
    if (isRefused(error, 'internal')) return 'not_stored'
    throw error
  })
  if (received === 'sent_twice' || received === 'no_room' || received === 'not_stored')
    return showAgain(asked, { form, ring, trouble: received })
  if (received === 'no_key') return showAgain(asked, { form, ring: null, trouble: null })
  const path = inLanguage(`${rootOf(shown.disclosure)}/reports/${received.token}`, shown.language)
  return reply
    .headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
    .redirect(`${path}&received`, 303)
}

export function isRefused(error: unknown, code: ErrorCode): boolean {
  return error instanceof ServiceError && error.code === code
}

/** null: nothing can be sealed, so nothing is stored. */
export async function usableRing({ sealing, db }: HttpDeps): Promise<KeyRing | null> {
  return (await sealing.state(db)) === 'ready' ? sealing.ring : null
}

/** Whose share of memory an arriving form uses: a stranger's, never that of the company's own uploads. */
export function senderOf({ request }: Asked) {
  return { workspaceId: noWorkspace, senderId: networkOf(clientAddress(request)) }
}

type Again = { form: SentForm; ring: KeyRing | null; trouble: FormTrouble | null; problems?: FieldProblems }

async function showAgain(
  asked: Asked,
  { form, ring, trouble, problems = new Map() }: Again,
): Promise<FastifyReply> {
  const { deps, reply, shown } = asked
  const { workspaceId } = shown.disclosure
  const page = policyPage(shown, {
    sendsMail: deps.sendsMail,
    stamp: ring === null ? null : stampAgain(ring, { workspaceId, kind: 'report' }, deps.now()),
    families: await listOfferedFamilies(deps.db, workspaceId),
    typed: form.fields,
    problems: new Map([...problems, ...Array.from(form.cut, (name) => [name, 'cut'] as const)]),
    trouble,
  })
  reply.status(trouble === null ? 503 : troubleStatus[trouble])
  const retryAfter = retryAfterOf(trouble)
  if (retryAfter !== undefined) reply.header('retry-after', retryAfter)
  return answerPage(asked, page, form)
}

/** A form that is sent again has been read before. */
export function stampAgain(ring: KeyRing, form: { workspaceId: string; kind: FormKind }, now: Date): string {
  return newStamp(ring, form, new Date(now.getTime() - quickestMs))
}
