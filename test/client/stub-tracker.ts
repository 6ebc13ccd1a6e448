import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { portOf } from '../support/port-of.ts'

export type TrackedProject = {
  uuid: string
  name: string
  version?: string
  active?: boolean
  tags?: string[]
  /** Milliseconds; absent if it has no BOM. */
  lastBomImport?: number
}

/**
 * The documented API of Dependency-Track 4.11 to 5.0 for projects and exports: `X-Api-Key`, paging, and a new serial number and time for
 * each exported BOM.
 */
export class StubTracker {
  readonly address: string
  readonly key = 'odt_key'
  readonly #server: Server
  projects: TrackedProject[] = []
  /** By project UUID: the components of its BOM, or the status of a refusal. */
  boms = new Map<string, string[] | number>()
  asked: string[] = []
  #exports = 0

  private constructor(server: Server) {
    this.#server = server
    this.address = `http://127.0.0.1:${portOf(server)}`
    server.on('request', (request, response) => {
      const { status, body } = this.#answer(request.url ?? '', request.headers['x-api-key'])
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(body))
    })
  }

  static async open(): Promise<StubTracker> {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    return new StubTracker(server)
  }

  close(): void {
    this.#server.close()
  }

  reset(): void {
    this.projects = []
    this.boms = new Map()
    this.asked = []
  }

  #answer(address: string, key: unknown): { status: number; body: unknown } {
    const { pathname, searchParams } = new URL(address, this.address)
    this.asked.push(address)
    if (key !== this.key) return { status: 401, body: null }
    const [, tag] = /^\/api\/v1\/project\/tag\/(.+)$/.exec(pathname) ?? []
    if (pathname === '/api/v1/project' || tag !== undefined) {
      const found = this.projects.filter(
        ({ active = true, tags = [] }) =>
          active && (tag === undefined || tags.includes(decodeURIComponent(tag))),
      )
      const size = Number(searchParams.get('pageSize'))
      const start = (Number(searchParams.get('pageNumber')) - 1) * size
      return { status: 200, body: found.slice(start, start + size) }
    }
    const [, uuid] = /^\/api\/v1\/project\/([^/]+)$/.exec(pathname) ?? []
    if (uuid !== undefined) {
      const project = this.projects.find((one) => one.uuid === uuid)
      return project === undefined ? { status: 404, body: null } : { status: 200, body: project }
    }
    const [, exported = ''] = /^\/api\/v1\/bom\/cyclonedx\/project\/([^/]+)$/.exec(pathname) ?? []
    return this.#export(exported)
  }

  #export(uuid: string): { status: number; body: unknown } {
    const components = this.boms.get(uuid) ?? 404
    if (typeof components === 'number') return { status: components, body: null }
    this.#exports += 1
    const number = String(this.#exports).padStart(12, '0')
    const body = {
      bomFormat: 'CycloneDX',
      specVersion: '1.5',
      serialNumber: `urn:uuid:00000000-0000-4000-8000-${number}`,
      version: 1,
      metadata: { timestamp: new Date(this.#exports).toISOString(), component: { 'bom-ref': uuid } },
      components: components.map((name) => ({ type: 'library', 'bom-ref': name, name, version: '1.0' })),
    }
    return { status: 200, body }
  }
}
