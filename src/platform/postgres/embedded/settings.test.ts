import { describe, expect, it } from 'vitest'
import { readConfig } from '../../config/config.ts'
import { settingArguments } from './settings.ts'

/** src/parser/lanes.ts */
const largeLaneSessions = 2
/** src/cli/open-process.ts */
const queueSessions = 2
const gigabyte = 1024 ** 3
const base = {
  major: 18,
  socketDir: '/data/socket',
  port: 5432,
  fsync: true,
  memoryBytes: 4 * gigabyte,
  linux: '6.8.0-60-generic' as string | null,
}

function settingsOf(changes: Partial<typeof base>): Map<string, string> {
  const pairs = settingArguments({ ...base, ...changes }).filter((argument) => argument !== '-c')
  return new Map(pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]))
}

describe('settingArguments', () => {
  it('takes the sessions of four HTTP and four work processes with four commands beside them', () => {
    const { poolSize, parserPoolSize } = readConfig({}).config.store
    const serve = poolSize + parserPoolSize + largeLaneSessions + 1
    const work = poolSize + queueSessions + 2
    const command = poolSize + queueSessions + 1
    const reservedForSuperuser = 3
    const promised = 4 * serve + 4 * work + 4 * command + reservedForSuperuser
    expect(Number(settingsOf({}).get('max_connections'))).toBeGreaterThanOrEqual(promised)
  })

  it('opens no network port', () => {
    expect(settingsOf({}).get('listen_addresses')).toBe('')
  })

  it.each([
    ['64MB', gigabyte / 8],
    ['64MB', gigabyte / 2],
    ['512MB', 4 * gigabyte],
    ['1024MB', 64 * gigabyte],
  ])('takes %s of buffers from %d bytes of memory', (buffers, memoryBytes) => {
    expect(settingsOf({ memoryBytes }).get('shared_buffers')).toBe(buffers)
  })

  it('leaves durability to the defaults, which are on, unless the data are thrown away', () => {
    expect(settingsOf({}).has('fsync')).toBe(false)
    expect(settingsOf({ fsync: false }).get('fsync')).toBe('off')
  })

  it.each([
    ['6.8.0-60-generic', 'syncfs'],
    ['5.8', 'syncfs'],
    ['5.4.0-200-generic', undefined],
    ['4.18.0-553.el8_10.x86_64', undefined],
    [null, undefined],
  ])(
    'syncs the data as a whole after a crash only where no failed write stays unsaid: Linux %s',
    (linux, method) => {
      expect(settingsOf({ linux }).get('recovery_init_sync_method')).toBe(method)
    },
  )

  it('names no setting the version does not know', () => {
    expect(settingsOf({ major: 18 }).get('io_method')).toBe('sync')
    expect(settingsOf({ major: 17 }).has('io_method')).toBe(false)
  })

  it('quotes a folder, whose comma would otherwise name two', () => {
    expect(settingsOf({ socketDir: '/a, "b"' }).get('unix_socket_directories')).toBe('"/a, ""b"""')
  })
})
