import type { FastifyReply, FastifyRequest } from 'fastify'
import { sendAndDrain } from '../answer-error.ts'
import { pageHeaders, renderPage, sendPage, type DisclosePage } from '../../disclosure-site/page-frame.ts'

/** Answers with a page for one person; also while the rest of the form is still arriving, in a way that the browser reads. */
export function answerPage(
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  page: DisclosePage,
  { isCutOff }: { isCutOff: boolean } = { isCutOff: false },
): FastifyReply {
  if (!isCutOff) return sendPage(reply, page, 'no-store')
  reply.headers({ ...pageHeaders, 'cache-control': 'no-store' }).type('text/html; charset=utf-8')
  sendAndDrain(renderPage(page), request, reply)
  return reply
}
