import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError } from '../contract/errors.ts'
import type { Site } from './site.ts'
import { sendDocsPage } from './docs-frame.ts'
import { isGuide } from './guide-list.ts'
import { docsDir, readGuide } from './guide-texts.ts'

/** `GET /docs/:name`: a guide of docs/ for users. */
export async function guidePage(
  { serviceName }: Site,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<string> {
  const { name = '' } = request.params as { name?: string }
  if (!isGuide(name)) throw new ServiceError('not_found')
  const { title, sections, content } = await readGuide(name)
  return sendDocsPage(reply, { serviceName, title, path: `/docs/${name}`, sections, content })
}

/** `GET /docs/images/:file`: a picture of a guide. */
export async function guideImage(_site: Site, request: FastifyRequest, reply: FastifyReply): Promise<Buffer> {
  const { file = '' } = request.params as { file?: string }
  if (!/^[a-z-]+\.webp$/.test(file)) throw new ServiceError('not_found')
  const bytes = await readFile(join(docsDir, 'images', file)).catch((cause: unknown) => {
    throw (cause as NodeJS.ErrnoException).code === 'ENOENT' ? new ServiceError('not_found') : cause
  })
  reply.type('image/webp').header('cache-control', 'public, max-age=300')
  return bytes
}
