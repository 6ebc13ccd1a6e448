import { request as httpRequest } from 'node:http'
import type { TestDatabase } from './database.ts'
import type { Answer } from './http.ts'

type Half = {
  database: TestDatabase
  /** URL of the endpoint. */
  url: string
  token: string
  body: Buffer
}

/** An upload whose first fifty bytes have arrived and whose token has been accepted; `finish` sends the rest. */
export async function sendHalf({ database, url, token, body }: Half): Promise<{
  finish: () => Promise<Omit<Answer, 'headers'>>
}> {
  const { promise, resolve, reject } = Promise.withResolvers<Omit<Answer, 'headers'>>()
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'content-length': body.length,
  }
  const request = httpRequest(url, { method: 'POST', headers }, (response) => {
    const chunks: Buffer[] = []
    response.on('data', (chunk: Buffer) => chunks.push(chunk))
    response.on('end', () =>
      resolve({ status: response.statusCode ?? 0, body: JSON.parse(Buffer.concat(chunks).toString()) }),
    )
  }).on('error', reject)
  // An unfinished upload may fail silently.
  promise.catch(() => undefined)
  request.write(body.subarray(0, 50))
  await untilUsed(database, token)
  return {
    finish: () => {
      request.end(body.subarray(50))
      return promise
    },
  }
}

/** Accepting the token leaves a trace: waits for it. */
async function untilUsed({ db }: TestDatabase, secret: string): Promise<void> {
  for (;;) {
    const use = await db
      .selectFrom('token_use as u')
      .innerJoin('token as t', 't.id', 'u.token_id')
      .select('u.token_id')
      .where('t.prefix', '=', secret.slice(0, 10))
      .executeTakeFirst()
    if (use !== undefined) return
  }
}
