import type { FastifyReply } from 'fastify'
import { reportLimits } from '../../contract/disclosure/shapes.ts'
import { countHit } from '../../disclosure/form/hits.ts'
import { plainText } from '../../disclosure/form/read-report.ts'
import { judgeStamp } from '../../disclosure/form/stamp.ts'
import {
  addReporterMessage,
  selectReceipt,
  setOwnConsent,
  type ReporterView,
} from '../../disclosure/reports/receipt.ts'
import { networkOf } from '../../platform/client-address.ts'
import { clientAddress } from '../client-address.ts'
import { answerPage } from './answer-page.ts'
import { inLanguage, rootOf } from '../../disclosure-site/company-page.ts'
import { refusalPage } from '../../disclosure-site/other-pages.ts'
import { inPublicShare } from '../exchange/public-share.ts'
import { readForm, type SentForm } from './read-form.ts'
import { troubleStatus } from '../../disclosure-site/trouble-status.ts'
import { isRefused, senderOf, stampAgain, usableRing, type Asked } from './send-report.ts'
import { statusPage, type ShownReport } from '../../disclosure-site/status-page.ts'
import type { FormTrouble } from '../../disclosure-site/words/words.ts'

/** Links that lead nowhere, of one address within an hour. */
const missesAnHour = 20
const messagesAnHour = 30

/** The status page behind the secret link. */
export async function showStatus(asked: Asked): Promise<FastifyReply> {
  const found = await findReport(asked)
  if ('refused' in found) return found.refused
  const { received } = asked.request.query as { received?: unknown }
  return answerStatus(asked, found, { isNew: received !== undefined })
}

type Found = { report: ReporterView; token: string }

async function findReport(asked: Asked): Promise<Found | { refused: FastifyReply }> {
  const { deps, request, reply, shown } = asked
  const { token = '' } = request.params as { token?: string }
  const { workspaceId } = shown.disclosure
  const isLink = /^[\w-]{43}$/.test(token)
  const report = isLink ? await selectReceipt(deps.db, { workspaceId, token }, deps.sealing) : undefined
  if (report !== undefined) return { report, token }
  const subject = ['receipt', networkOf(clientAddress(request))]
  const misses = await countHit(deps.db, deps.sealing.ring, subject, { now: deps.now() })
  const isTooOften = misses > missesAnHour
  if (isTooOften) reply.header('retry-after', '3600')
  reply.status(isTooOften ? 429 : 404)
  return { refused: answerPage(asked, refusalPage(shown, isTooOften ? 'tooOften' : 'notFound')) }
}

type Again = Partial<Pick<ShownReport, 'isNew' | 'typed' | 'problem' | 'trouble'>> & {
  form?: Pick<SentForm, 'isCutOff'>
  status?: number
}

async function answerStatus(asked: Asked, { report, token }: Found, again: Again): Promise<FastifyReply> {
  const { deps, shown, reply } = asked
  const { form, status = 200, ...given } = again
  const ring = await usableRing(deps)
  const { workspaceId } = shown.disclosure
  const stamp = ring === null ? null : stampAgain(ring, { workspaceId, kind: 'message' }, deps.now())
  const page = statusPage(shown, {
    report,
    token,
    stamp,
    isNew: false,
    typed: '',
    problem: null,
    trouble: null,
    ...given,
  })
  reply.status(status)
  return answerPage(asked, page, form)
}

/** What a reporter writes, or agrees to. Codes: `not_found`, `timeout`, `internal`. */
export async function answerReporter(asked: Asked): Promise<FastifyReply> {
  const { deps, request } = asked
  const found = await inPublicShare(asked, () => findReport(asked))
  if ('refused' in found) return found.refused
  const form = await readForm(request.raw, { bodies: deps.bodies, owner: senderOf(asked) })
  return inPublicShare(asked, () => judgeAnswer(asked, { found, form }))
}

async function judgeAnswer(
  asked: Asked,
  { found, form }: { found: Found; form: SentForm },
): Promise<FastifyReply> {
  const typed = plainText(form.fields.get('text') ?? '').trim()
  const again = (trouble: FormTrouble) =>
    answerStatus(asked, found, { typed, trouble, form, status: troubleStatus[trouble] })
  if (form.problem === 'too_much_text')
    return answerStatus(asked, found, { typed, problem: 'cut', form, status: troubleStatus.too_much_text })
  if (form.problem !== null) return again(form.problem)
  if (form.fields.get('action') === 'consent') return changeConsent(asked, found, form)
  return writeMessage(asked, { found, form, typed, again })
}

async function changeConsent(asked: Asked, { token }: Found, form: SentForm): Promise<FastifyReply> {
  const { deps, shown } = asked
  const consent = form.fields.get('consent') === 'yes'
  await setOwnConsent(deps.db, { workspaceId: shown.disclosure.workspaceId, token, consent, now: deps.now() })
  return backToStatus(asked, token)
}

type Written = {
  found: Found
  form: SentForm
  typed: string
  again: (trouble: FormTrouble) => Promise<FastifyReply>
}

async function writeMessage(asked: Asked, { found, form, typed, again }: Written): Promise<FastifyReply> {
  const { deps, shown } = asked
  const { workspaceId } = shown.disclosure
  const ring = await usableRing(deps)
  if (ring === null) return answerStatus(asked, found, { typed, status: 503 })
  if (typed === '') return answerStatus(asked, found, { problem: 'required', status: 422 })
  if ([...typed].length > reportLimits.messageCharacters)
    return answerStatus(asked, found, { typed, problem: 'too_long', status: 422 })
  const now = deps.now()
  const judged = judgeStamp(ring, form.fields.get('stamp') ?? '', { workspaceId, kind: 'message', now })
  if (judged.kind !== 'valid') return again('stale')
  const written = await countHit(deps.db, ring, ['message', found.report.id], { now })
  if (written > messagesAnHour) return again('too_often')
  const { token } = found
  const message = { workspaceId, token, text: typed, nonce: judged.nonce }
  try {
    await addReporterMessage(deps.db, { ...message, clock: deps.now, sealing: deps.sealing })
  } catch (error) {
    if (isRefused(error, 'conflict')) return again('sent_twice')
    if (isRefused(error, 'too_large')) return again('thread_full')
    if (isRefused(error, 'not_configured')) return answerStatus(asked, found, { typed, status: 503 })
    throw error
  }
  return backToStatus(asked, token)
}

function backToStatus({ reply, shown }: Asked, token: string): FastifyReply {
  const path = inLanguage(`${rootOf(shown.disclosure)}/reports/${token}`, shown.language)
  return reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }).redirect(path, 303)
}
