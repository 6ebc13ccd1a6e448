import type { FastifyReply, FastifyRequest } from 'fastify'
import { sendAndDrain } from '../answer-error.ts'
import { pageHeaders, renderPage, sendPage, type DisclosePage } from '../../disclosure-site/page-frame.ts'

/** Answers a page that concerns one person; while more of the form is still coming, so that the browser reads it. */
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
