import { describe, expect, it } from 'vitest'
import { ecosystems } from '../identities/ecosystems.ts'
import { homeDatabases } from './home-databases.ts'

describe('home databases', () => {
  it('are of ecosystems that components can have', () => {
    const known = new Set(['cpe', ...ecosystems.map((ecosystem) => ecosystem.name)])
    expect(homeDatabases.map((home) => home.ecosystem).filter((name) => !known.has(name))).toEqual([])
  })

  it('are named by whole prefixes, each once', () => {
    const named = homeDatabases.map(({ ecosystem, prefix }) => `${ecosystem} ${prefix}`)
    expect(new Set(named).size).toBe(named.length)
    expect(
      homeDatabases.map((home) => home.prefix).filter((prefix) => !/^[A-Za-z-]+[-:]$/.test(prefix)),
    ).toEqual([])
  })
})
