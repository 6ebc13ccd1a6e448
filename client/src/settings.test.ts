import { describe, expect, it } from 'vitest'
import { parseArguments } from './arguments.ts'
import { readSettings } from './settings.ts'

const token = `svc_${'a'.repeat(43)}`
const results = `svc_${'b'.repeat(43)}`

function read(env: Record<string, string>, ...options: string[]) {
  const command = parseArguments(['upload', 'bom.json', ...options])
  if (command.kind !== 'upload') throw new Error('not an upload')
  return readSettings(env, command)
}

describe('the address', () => {
  it.each([
    ['https://monitor.example', 'https://monitor.example'],
    ['https://monitor.example/', 'https://monitor.example'],
    ['https://example.com/monitor/', 'https://example.com/monitor'],
    ['http://localhost:3000', 'http://localhost:3000'],
    ['http://127.0.0.1:3000', 'http://127.0.0.1:3000'],
    ['http://127.1', 'http://127.0.0.1'],
    ['http://[::1]:3000', 'http://[::1]:3000'],
  ])('%s', (address, baseUrl) => {
    expect(read({ SBOM_MONITOR_URL: address, SBOM_MONITOR_TOKEN: token })).toMatchObject({ baseUrl })
  })

  it.each([
    ['http://monitor.example', /must start with https/],
    ['http://127.0.0.1.example.com', /must start with https/],
    ['http://localhost.example.com', /must start with https/],
    ['http://10.0.0.1', /must start with https/],
    ['ftp://monitor.example', /must start with https/],
    ['https://me:secret@monitor.example', /user name or password/],
    ['https://monitor.example/?x=1', /end with its path/],
    ['monitor.example', /not a URL/],
    ['', /set SBOM_MONITOR_URL/],
  ])('%s is refused and not repeated', (address, message) => {
    const attempt = () => read({ SBOM_MONITOR_URL: address, SBOM_MONITOR_TOKEN: token })
    expect(attempt).toThrow(message)
    expect(attempt).not.toThrow(/secret/)
  })

  it('of --server wins', () => {
    const env = { SBOM_MONITOR_URL: 'https://a.example', SBOM_MONITOR_TOKEN: token }
    expect(read(env, '--server', 'https://b.example')).toMatchObject({ baseUrl: 'https://b.example' })
  })
})

describe('the tokens', () => {
  const address = { SBOM_MONITOR_URL: 'https://monitor.example' }

  it('come from the environment, trimmed', () => {
    const env = { ...address, SBOM_MONITOR_TOKEN: ` ${token}\n`, SBOM_MONITOR_RESULTS_TOKEN: results }
    expect(read(env, '--wait')).toMatchObject({ uploadToken: token, resultsToken: results })
  })

  it('for results may be absent when only waiting', () => {
    expect(read({ ...address, SBOM_MONITOR_TOKEN: token }, '--wait').resultsToken).toBeNull()
  })

  it('for results must be there for a policy', () => {
    const attempt = () => read({ ...address, SBOM_MONITOR_TOKEN: token }, '--fail-on', 'any')
    expect(attempt).toThrow(/SBOM_MONITOR_RESULTS_TOKEN/)
  })

  it('that are none are refused without being repeated', () => {
    const attempt = () => read({ ...address, SBOM_MONITOR_TOKEN: 'hunter2' })
    expect(attempt).toThrow(/found 7 characters/)
    expect(attempt).not.toThrow(/hunter2/)
  })

  it('and address are judged together', () => {
    expect(() => read({}, '--fail-on', 'any')).toThrow(/_URL[^]*_TOKEN[^]*_RESULTS_TOKEN/)
  })
})
