import type { FastifyReply } from 'fastify'

/** 412: what is served is not in the state that the client asks for. A later request may find it in another one. */
export function answerOtherState(reply: FastifyReply): FastifyReply {
  return reply
    .status(412)
    .header('cache-control', 'no-store')
    .type('text/plain; charset=utf-8')
    .send('Precondition failed')
}
