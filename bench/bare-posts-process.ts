import { Agent, request } from 'undici'

/**
 * The baseline of `bench/alerts.ts`, as a process of its own: bare posts to a receiver on loopback, each over a new TLS connection, so many
 * at a time. Arguments: port, name of the receiver, posts, how many at a time.
 */
const [port = '', host = '', posts = '', atOnce = ''] = process.argv.slice(2)
const body = JSON.stringify({ filler: 'x'.repeat(400) })
let left = Number(posts)

async function lane(): Promise<void> {
  while (left > 0) {
    left -= 1
    const dispatcher = new Agent({ connect: { host: '127.0.0.1', servername: host } })
    const url = `https://127.0.0.1:${port}/hook`
    const answer = await request(url, { dispatcher, method: 'POST', body, headers: { host } })
    await answer.body.dump()
    await dispatcher.close()
  }
}

await Promise.all(Array.from({ length: Number(atOnce) }, lane))
