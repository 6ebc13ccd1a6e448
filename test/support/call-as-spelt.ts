import { request, type IncomingHttpHeaders } from 'node:http'
import { answerTo } from './once-over.ts'

/** A GET with the path unchanged: other clients resolve dots first. */
export async function callAsSpelt(
  url: string,
  path: string,
): Promise<{ status: number; headers: IncomingHttpHeaders; body: string }> {
  const { hostname: host, port } = new URL(url)
  const asking = request({ host, port, path })
  asking.end()
  const response = await answerTo(asking)
  let body = ''
  for await (const chunk of response) body += String(chunk)
  return { status: response.statusCode ?? 0, headers: response.headers, body }
}
