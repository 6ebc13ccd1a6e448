import type { FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError } from '../../contract/errors.ts'
import type { HttpDeps } from '../deps.ts'
import { sendDocsPage } from './docs-frame.ts'
import { isGuide } from './guide-list.ts'
import { readGuide } from './guide-texts.ts'

/** `GET /docs/:name`: a guide of docs/ for users. */
export async function guidePage(
  { serviceName }: HttpDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<string> {
  const { name = '' } = request.params as { name?: string }
  if (!isGuide(name)) throw new ServiceError('not_found')
  const { title, sections, content } = await readGuide(name)
  return sendDocsPage(reply, { serviceName, title, path: `/docs/${name}`, sections, content })
}
