import { hash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join, relative } from 'node:path'

/** Serves the files of a folder from memory on a port of loopback; says so once it listens. */
const [root = '', port = ''] = process.argv.slice(2)

const files = new Map(
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.gz'))
    .map(({ parentPath, name }) => {
      const path = join(parentPath, name)
      const bytes = readFileSync(path)
      const file = { bytes, packed: readFileSync(`${path}.gz`), etag: `"${hash('sha256', bytes)}"` }
      return [`/${relative(root, path)}`, file]
    }),
)

const server = createServer(({ url = '', headers }, response) => {
  const file = files.get(url)
  if (file === undefined) {
    response.writeHead(404).end()
    return
  }
  const { bytes, packed, etag } = file
  if (headers['if-none-match'] === etag) {
    response.writeHead(304, { etag }).end()
    return
  }
  const isPacked = headers['accept-encoding'] === 'gzip'
  const body = isPacked ? packed : bytes
  const coding = isPacked ? { 'content-encoding': 'gzip' } : {}
  response.writeHead(200, {
    ...coding,
    'content-type': 'application/json',
    'content-length': body.length,
    etag,
  })
  response.end(body)
})
server.listen(Number(port), '127.0.0.1', () => process.stdout.write('listening\n'))
