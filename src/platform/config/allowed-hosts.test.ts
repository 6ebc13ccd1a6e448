import { describe, expect, it } from 'vitest'
import { readAllowedHosts, readHosts } from './allowed-hosts.ts'

const forAll = (...origins: string[]) => ({ sources: origins, issuers: origins, billing: origins })
const none = forAll()

describe('readAllowedHosts', () => {
  it.each([
    ['', none],
    ['sources=feeds.example.com', { ...none, sources: ['https://feeds.example.com'] }],
    ['sources=http://Feeds.internal:8080', { ...none, sources: ['http://feeds.internal:8080'] }],
    ['issuers = https://id.internal:8443', { ...none, issuers: ['https://id.internal:8443'] }],
    ['billing=http://127.0.0.1:12111', { ...none, billing: ['http://127.0.0.1:12111'] }],
    [
      'issuers=[fd00::A]:443,sources=10.0.0.5:8000',
      { ...none, issuers: ['https://[fd00::a]'], sources: ['https://10.0.0.5:8000'] },
    ],
    ['mirror.internal:8443', forAll('https://mirror.internal:8443')],
    ['http://mirror.internal', forAll('http://mirror.internal')],
  ])('reads "%s"', (list, expected) => {
    const mistakes: string[] = []
    expect(readAllowedHosts(list, {}, mistakes)).toEqual({ origins: expected, bare: [] })
    expect(mistakes).toEqual([])
  })

  it.each([
    [
      'feeds.example.com, Mirror.Example.COM,',
      forAll('https://feeds.example.com', 'https://mirror.example.com'),
    ],
    ['localhost,feed_copies.internal', forAll('https://localhost', 'https://feed_copies.internal')],
    ['10.0.0.5,::1,[fd00::A]', forAll('https://10.0.0.5', 'https://[::1]', 'https://[fd00::a]')],
    ['bücher.example', forAll('https://xn--bcher-kva.example')],
  ])('takes hosts alone, "%s", for https on its own port', (list, expected) => {
    const { origins, bare } = readAllowedHosts(list, {}, [])
    expect(origins).toEqual(expected)
    expect(bare).toEqual(
      list
        .split(',')
        .map((entry) => entry.trim())
        .filter((entry) => entry !== ''),
    )
  })

  it('lets a host alone cover the addresses on it that the operator has set, for their use alone', () => {
    const own = { sources: ['http://feeds.internal:8080/osv', 'https://elsewhere.example/kev'] }
    const { origins } = readAllowedHosts('feeds.internal', own, [])
    expect(origins).toEqual({
      ...forAll('https://feeds.internal'),
      sources: ['https://feeds.internal', 'http://feeds.internal:8080'],
    })
    const exact = readAllowedHosts('sources=feeds.internal', own, [])
    expect(exact.origins.sources).toEqual(['https://feeds.internal'])
  })

  it.each([
    'https://feeds.example.com/',
    'feeds.example.com/osv',
    'alerts=hooks.internal',
    'sources=',
    'sources=ftp://feeds.example.com',
    'feeds.example.com:0',
    'feeds.example.com:70000',
    'feeds.example.com:',
    '*.example.com',
    '10.0.0.0/8',
    'user@feeds.example.com',
    'feeds example',
    '300.1.1.1',
    'feeds..example.com',
  ])('refuses "%s", which no request would match', (entry) => {
    const mistakes: string[] = []
    expect(readAllowedHosts(`sources=good.example, ${entry}`, {}, mistakes).origins).toEqual({
      ...none,
      sources: ['https://good.example'],
    })
    expect(mistakes).toEqual([expect.stringContaining(`found "${entry}"`)])
  })
})

it('readHosts takes names alone', () => {
  const mistakes: string[] = []
  expect(readHosts('CHAT_A_HOSTS', 'Hooks.example, [fd00::A]', mistakes)).toEqual([
    'hooks.example',
    '[fd00::a]',
  ])
  expect(mistakes).toEqual([])
  expect(readHosts('CHAT_A_HOSTS', 'https://hooks.example, hooks.example:443', mistakes)).toEqual([])
  expect(mistakes).toHaveLength(2)
})
