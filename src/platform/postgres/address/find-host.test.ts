import { describe, expect, it } from 'vitest'
import type { DatabaseAddress } from './address.ts'
import { findHost, NoHost, UnfitHost, type Failure } from './find-host.ts'
import { HostMemory } from './host-memory.ts'
import { readAddress } from './read-address.ts'
import { noTlsSaying } from './tls.ts'

function address(uri: string): DatabaseAddress {
  const read = readAddress(uri, {})
  if (read === null) throw new Error('no address')
  return read
}

const coded = (code: string, message = `said ${code}`) => Object.assign(new Error(message), { code })
const dead: Failure = { error: coded('ECONNREFUSED'), isReached: false, isLate: false }
const silent: Failure = { error: new Error('timeout expired'), isReached: true, isLate: true }
const standby: Failure = { error: new UnfitHost('standby'), isReached: true, isLate: false }
const says = (code: string, message?: string): Failure => ({
  error: coded(code, message),
  isReached: true,
  isLate: false,
})
const noTls: Failure = { error: new Error(noTlsSaying), isReached: true, isLate: false }
const cut: Failure = { error: coded('ECONNRESET'), isReached: true, isLate: false }

type World = Record<string, Failure | null>

/** Looks for a host where `a tls`, `a plain`, or `a` for both, answers so; returns what was tried, with what came of it. */
function lookFor(uri: string, world: World, { memory = new HostMemory(), patienceMs = 5_000 } = {}) {
  const tried: string[] = []
  const search = findHost(address(uri), {
    memory,
    patienceMs,
    attempt: ({ host, encryption }) => {
      tried.push(`${host.host} ${encryption}`)
      const found = world[`${host.host} ${encryption}`] ?? world[host.host] ?? null
      return Promise.resolve(found)
    },
  })
  return search.then(
    () => ({ tried, error: null }),
    (error: unknown) => ({ tried, error }),
  )
}

describe('findHost', () => {
  it.each<[string, string, World, string[]]>([
    ['the first that answers', 'a,b', {}, ['a']],
    ['past one that is dead', 'a,b', { a: dead }, ['a', 'b']],
    ['past a standby', 'a,b', { a: standby }, ['a', 'b']],
    ['past one that is starting', 'a,b', { a: says('57P03') }, ['a', 'b']],
  ])('takes %s', async (_, hosts, world, expected) => {
    const { tried, error } = await lookFor(`postgresql://${hosts}/d?sslmode=disable`, world)
    expect(error).toBeNull()
    expect(tried).toEqual(expected.map((host) => `${host} plain`))
  })

  it('ends at one that refuses the role', async () => {
    const { tried, error } = await lookFor('postgresql://a,b/d?sslmode=disable', { a: says('28P01') })
    expect(tried).toEqual(['a plain'])
    expect(error).toMatchObject({ code: '28P01' })
  })

  it('names every host that was tried, and why', async () => {
    const { error } = await lookFor('postgresql://a:1,b:2/d?sslmode=disable', { a: dead, b: standby })
    expect(error).toBeInstanceOf(NoHost)
    expect(String(error)).toContain(
      '(a:1: said ECONNREFUSED; b:2: the server is a standby, which accepts no writes)',
    )
  })

  it('tells most of one that is just starting, since that is worth waiting for', async () => {
    const { error } = await lookFor('postgresql://a,b/d?sslmode=disable', { a: standby, b: says('57P03') })
    expect(error).toMatchObject({ cause: { code: '57P03' } })
  })

  it('fails with what a single host said', async () => {
    expect((await lookFor('postgresql://a/d?sslmode=disable', { a: dead })).error).toBe(dead.error)
  })

  it.each([
    [2_000, 1_000],
    [20_000, 2_000],
  ])('leaves a turn for the last of two within %i ms', async (patienceMs, expected) => {
    const limits: number[] = []
    await findHost(address('postgresql://a,b/monitor?sslmode=disable'), {
      memory: new HostMemory(),
      patienceMs,
      attempt: ({ host, limitMs }) => {
        limits.push(limitMs)
        return Promise.resolve(host.host === 'a' ? silent : null)
      },
    })
    expect(limits[0]).toBe(expected)
    expect(limits).toHaveLength(2)
  })

  it('gives one that is slow another turn, until its patience ends', async () => {
    let asked = 0
    const limits: number[] = []
    await findHost(address('postgresql://a,b/d?sslmode=disable'), {
      memory: new HostMemory(),
      patienceMs: 5_000,
      attempt: ({ host, limitMs }) => {
        if (host.host === 'b') return Promise.resolve(standby)
        limits.push(limitMs)
        asked += 1
        return Promise.resolve(asked < 2 ? silent : null)
      },
    })
    expect(limits[0]).toBe(2_000)
    expect(limits[1]).toBeGreaterThan(3_000)
  })

  it.each<[string, string, World, string[], string | null]>([
    ['prefer', '', {}, ['a tls'], null],
    ['prefer, and the server speaks no TLS', '', { 'a tls': noTls }, ['a tls', 'a plain'], null],
    [
      'prefer, and pg_hba.conf takes plain ones only',
      '',
      { 'a tls': says('28000') },
      ['a tls', 'a plain'],
      null,
    ],
    ['prefer, and the password is wrong', '', { a: says('28P01') }, ['a tls', 'a plain'], 'said 28P01'],
    ['prefer, and nobody is there', '', { a: dead }, ['a tls'], 'said ECONNREFUSED'],
    ['prefer, and the server is full', '', { a: says('53300') }, ['a tls'], 'said 53300'],
    ['allow', '?sslmode=allow', {}, ['a plain'], null],
    [
      'allow, and pg_hba.conf wants TLS',
      '?sslmode=allow',
      { 'a plain': says('28000') },
      ['a plain', 'a tls'],
      null,
    ],
    [
      'allow, and a pooler wants TLS',
      '?sslmode=allow',
      { 'a plain': says('08P01', 'SSL required') },
      ['a plain', 'a tls'],
      null,
    ],
    ['require, and the server speaks no TLS', '?sslmode=require', { 'a tls': noTls }, ['a tls'], noTlsSaying],
    ['disable', '?sslmode=disable', { a: says('28000') }, ['a plain'], 'said 28000'],
  ])('encrypts as libpq does: %s', async (_, query, world, expected, message) => {
    const { tried, error } = await lookFor(`postgresql://a/d${query}`, world)
    expect(tried).toEqual(expected)
    expect(error === null ? null : (error as Error).message).toBe(message)
  })

  it('does not encrypt what goes through a socket of the machine', async () => {
    expect((await lookFor('postgresql:///d?host=/run&sslmode=require', {})).tried).toEqual(['/run plain'])
  })
})

describe('what is remembered of hosts', () => {
  it('is where the last session was had, and who failed', async () => {
    const memory = new HostMemory()
    const uri = 'postgresql://a,b,c/d?sslmode=disable'
    await lookFor(uri, { a: dead, b: standby }, { memory })
    expect((await lookFor(uri, {}, { memory })).tried).toEqual(['c plain'])
    expect((await lookFor(uri, { c: dead, a: dead, b: dead }, { memory })).tried).toEqual([
      ...['c plain', 'a plain', 'b plain'],
    ])
  })

  it('is that a server speaks no TLS, so that it is not asked each time', async () => {
    const memory = new HostMemory()
    await lookFor('postgresql://a/d', { 'a tls': noTls }, { memory })
    expect((await lookFor('postgresql://a/d', { 'a tls': noTls }, { memory })).tried).toEqual(['a plain'])
  })

  it('does not hide why the session failed in the clear', async () => {
    const memory = new HostMemory()
    await lookFor('postgresql://a/d', { 'a tls': noTls }, { memory })
    const { tried, error } = await lookFor('postgresql://a/d', { 'a tls': noTls, 'a plain': cut }, { memory })
    expect(tried).toEqual(['a plain', 'a tls'])
    expect(error).toBe(cut.error)
  })

  it('is so for the mode of that address alone, and for a minute, however many sessions there are', async () => {
    let now = 0
    const memory = new HostMemory(() => now)
    const again = async (query = '') => (await lookFor(`postgresql://a/d${query}`, {}, { memory })).tried
    await lookFor('postgresql://a/d', { 'a tls': noTls }, { memory })
    expect(await again('?sslmode=disable')).toEqual(['a plain'])
    now += 50_000
    expect(await again()).toEqual(['a plain'])
    now += 11_000
    expect(await again()).toEqual(['a tls'])
    expect(await again()).toEqual(['a tls'])
  })

  it('is who was replaced as the primary, also once it has failed and however long ago, until it answers', async () => {
    let now = 0
    const memory = new HostMemory(() => now)
    const uri = 'postgresql://a,b/d?sslmode=disable'
    const a = { host: 'a', port: 5432 }
    memory.replaced(a)
    await lookFor(uri, { a: dead, b: dead }, { memory })
    now += 600_000
    expect((await lookFor(uri, {}, { memory })).tried).toEqual(['b plain'])
    expect(memory.isReplaced(a)).toBe(true)
    expect((await lookFor(uri, { b: dead }, { memory })).tried).toEqual(['b plain', 'a plain'])
    expect(memory.isReplaced(a)).toBe(false)
  })

  it('is forgotten after a minute', async () => {
    let now = 0
    const memory = new HostMemory(() => now)
    await lookFor('postgresql://a,b/d?sslmode=disable', { a: dead }, { memory })
    now += 61_000
    expect((await lookFor('postgresql://a,b/d?sslmode=disable', {}, { memory })).tried).toEqual(['a plain'])
  })

  it('does not end shuffling', () => {
    const hosts = address('postgresql://a,b,c,d,e,f/d?load_balance_hosts=random')
    const memory = new HostMemory()
    memory.answered({ host: 'a', port: 5432 })
    const firsts = Array.from({ length: 100 }, () => memory.inOrder(hosts)[0]?.host)
    expect(new Set(firsts).size).toBeGreaterThan(2)
  })
})
