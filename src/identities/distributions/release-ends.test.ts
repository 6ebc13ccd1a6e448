import { expect, it } from 'vitest'
import { affectedPackage } from '../affected-package.ts'
import { ecosystemNamed } from '../ecosystems.ts'
import { endedReleases, releaseEnds } from './release-ends.ts'

const prefixes: Record<string, string> = { Alpine: 'v', openSUSE: '', 'Red Hat': 'enterprise_linux:' }

it.each(releaseEnds)(
  '$ecosystem $release is a release as records name it',
  ({ ecosystem, release, lastDay }) => {
    expect(ecosystemNamed(ecosystem)).toBeDefined()
    expect(new Date(lastDay).toISOString().slice(0, 10)).toBe(lastDay)
    const named = `${ecosystem}:${prefixes[ecosystem] ?? ''}${release}`
    expect(affectedPackage(named, 'x')?.release).toBe(release)
  },
)

it('each is listed once, and a release has not ended on its last day', () => {
  const names = releaseEnds.map(({ ecosystem, release }) => `${ecosystem} ${release}`)
  expect(new Set(names).size).toBe(names.length)
  const ended = (day: string) =>
    endedReleases(new Date(`${day}T23:59:59Z`)).some(
      ({ ecosystem, release }) => ecosystem === 'Debian' && release === '10',
    )
  expect([ended('2024-06-30'), ended('2024-07-01')]).toEqual([false, true])
})
