import { once } from 'node:events'
import { request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'

/** A GET with the path as it is spelt: other clients resolve dots before they send it. */
export async function callAsSpelt(
  url: string,
  path: string,
): Promise<{ status: number; headers: IncomingHttpHeaders; body: string }> {
  const { hostname: host, port } = new URL(url)
  const asking = request({ host, port, path })
  asking.end()
  const [response] = (await once(asking, 'response')) as [IncomingMessage]
  let body = ''
  for await (const chunk of response) body += String(chunk)
  return { status: response.statusCode ?? 0, headers: response.headers, body }
}
