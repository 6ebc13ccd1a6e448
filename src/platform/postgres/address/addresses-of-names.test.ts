import { expect, it } from 'vitest'
import { withAddresses } from './addresses-of-names.ts'

const names: Record<string, string[]> = { one: ['10.0.0.1'], both: ['10.0.0.1', '::2', '10.0.0.1'] }
const resolve = (name: string) =>
  name === 'never'
    ? new Promise<string[]>(() => undefined)
    : Promise.resolve(names[name] ?? Promise.reject(new Error('ENOTFOUND')))
const expanded = (host: string) => withAddresses([{ host, port: 5432 }], { patienceMs: 100, resolve })

it('a name with several addresses is as many hosts, each once', async () => {
  expect(await expanded('both')).toEqual([
    { host: 'both', port: 5432, address: '10.0.0.1' },
    { host: 'both', port: 5432, address: '::2' },
  ])
})

it.each(['one', 'unknown', 'never', '/run/postgresql', '10.0.0.1', '::1'])(
  '%s stays as it is',
  async (host) => {
    expect(await expanded(host)).toEqual([{ host, port: 5432 }])
  },
)

it('one whose address is given is not looked up', async () => {
  const host = { host: 'both', port: 5432, address: '10.0.0.9' }
  expect(await withAddresses([host], { patienceMs: 100, resolve })).toEqual([host])
})
