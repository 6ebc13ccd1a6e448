import { hash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AppOperation } from '../../../contract/operation.ts'

/**
 * What a browser saves as a file and never shows by itself: JSON or CSV in UTF-8, an archive (RFC 6713), or a stranger's bytes.
 */
export type Download =
  | { fileName: string; content: Readable | string }
  | { fileName: string; content: Readable; type: 'text/csv; charset=utf-8' }
  | { fileName: string; content: Readable; type: 'application/gzip' }
  | { fileName: string; content: Buffer; type: 'application/octet-stream' }

/** HTML without script that a browser shows by itself. `style`: the one style sheet in it. */
export type ShownPage = { page: string; style: string }

type Exchange = { request: FastifyRequest; reply: FastifyReply }

/** Sends what a handler returned, as the answer of its operation is sent. */
export function sendAnswer({ answer }: AppOperation, { request, reply }: Exchange, result: unknown): unknown {
  if (answer === 'file') {
    const download = result as Download
    if (download.content instanceof Readable) breakWith(download.content, request)
    return sendDownload(reply, download)
  }
  if (answer === 'page') return sendPage(reply, result as ShownPage)
  if (answer.status === 204) return reply.code(204).send()
  // An upload that is already known is answered 200 by its handler, a new one 202.
  if (answer.status !== 200) reply.code(answer.status)
  return result
}

/**
 * A file that breaks off must not look complete: without a length (HTTP/1.0) the end of the connection is the end of the file, and only a reset tells
 * them apart.
 */
function breakWith(content: Readable, { raw: { socket } }: FastifyRequest): void {
  content.once('error', () => {
    // TLS itself reveals an unannounced end of the connection.
    if ('encrypted' in socket) socket.destroy()
    else socket.resetAndDestroy()
  })
}

function sendDownload(reply: FastifyReply, download: Download): unknown {
  return reply
    .header('Content-Type', 'type' in download ? download.type : 'application/json')
    .header('Content-Disposition', attachmentNamed(download.fileName))
    .header('Content-Security-Policy', 'sandbox')
    .send(download.content)
}

/** RFC 6266: a name of plain letters for every client, and the whole one encoded (RFC 8187). */
function attachmentNamed(fileName: string): string {
  const plain = fileName.replaceAll(/[^\w.@ ()+-]/g, '_')
  if (plain === fileName) return `attachment; filename="${fileName}"`
  const encoded = encodeURIComponent(fileName.toWellFormed()).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}

/** No script and nothing from elsewhere; the one style sheet by its digest. */
function sendPage(reply: FastifyReply, { page, style }: ShownPage): unknown {
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${hash('sha256', style, 'base64')}'`,
    "form-action 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ')
  return reply
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
    })
    .send(page)
}
