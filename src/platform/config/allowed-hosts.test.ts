import { describe, expect, it } from 'vitest'
import { readAllowedHosts } from './allowed-hosts.ts'

describe('readAllowedHosts', () => {
  it.each([
    ['', []],
    ['feeds.example.com, Mirror.Example.COM,', ['feeds.example.com', 'mirror.example.com']],
    ['localhost,feed_copies.internal', ['localhost', 'feed_copies.internal']],
    ['10.0.0.5,::1,[fd00::A]', ['10.0.0.5', '[::1]', '[fd00::a]']],
    ['bücher.example', ['xn--bcher-kva.example']],
  ])('reads "%s"', (list, expected) => {
    const mistakes: string[] = []
    expect(readAllowedHosts(list, mistakes)).toEqual(expected)
    expect(mistakes).toEqual([])
  })

  it.each([
    'https://feeds.example.com',
    'feeds.example.com:8443',
    'feeds.example.com/osv',
    '*.example.com',
    '10.0.0.0/8',
    'user@feeds.example.com',
    'feeds example',
    '300.1.1.1',
    '[::1]:443',
    'feeds..example.com',
  ])('refuses "%s", which no request would match', (entry) => {
    const mistakes: string[] = []
    expect(readAllowedHosts(`good.example, ${entry}`, mistakes)).toEqual(['good.example'])
    expect(mistakes).toEqual([expect.stringContaining(`found "${entry}"`)])
  })
})
