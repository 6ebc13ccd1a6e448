import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** Scripts from here only; styles inline too, because the component library sets them on elements. */
const contentSecurityPolicy = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "form-action 'self'",
].join('; ')

const pageHeaders = {
  'Content-Security-Policy': contentSecurityPolicy,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'same-origin',
  'X-Frame-Options': 'DENY',
}

/**
 * The web application below /app/: built files, and its one page for every other address there, which the browser then routes.
 * File names in assets/ carry a hash of their content, so they never change; the page is asked for anew each time.
 */
export async function registerWebApp(app: FastifyInstance, distDir: string): Promise<void> {
  await app.register(fastifyStatic, {
    root: join(distDir, 'assets'),
    prefix: '/app/assets/',
    immutable: true,
    maxAge: '1y',
    index: false,
  })
  const page = (_request: FastifyRequest, reply: FastifyReply) =>
    reply.headers(pageHeaders).header('Cache-Control', 'no-cache').sendFile('index.html', distDir)
  app.get('/app', page)
  app.get('/app/*', page)
  app.get('/', (_request, reply) => reply.redirect('/app/', 302))
}
