import { describe, expect, it } from 'vitest'
import { snapshotOf } from './snapshot-version.ts'

describe('snapshotOf', () => {
  it.each<[version: string, tag: string, isAtTag?: boolean]>([
    ['v1.2.3-14-gabcdef0', 'v1.2.3'],
    ['v1.2.3-14-gabcdef0-dirty', 'v1.2.3'],
    ['v1.2.3-0-gabcdef0', 'v1.2.3', true],
    ['v1.2.3-0-gabcdef0-dirty', 'v1.2.3'],
    ['v1.2.3-rc1-2-g0123456789ab', 'v1.2.3-rc1'],
    ['curl-8_5_0-14-gabcdef0', 'curl-8_5_0'],
    ['1.2.3.r14.gabcdef0', '1.2.3'],
    ['1.2.3+14+gabcdef0', '1.2.3'],
    ['1.2.3+git20240101', '1.2.3'],
    ['1.2.3+git20240101.abcdef0', '1.2.3'],
    ['1.2.3_git20240101', '1.2.3'],
    ['1.2.3~git5.abcdef0', '1.2.3'],
    ['1.2.3+git', '1.2.3'],
    ['1.2.3^20240101gitabcdef0', '1.2.3'],
    ['1.2.3-abcdef0', '1.2.3'],
    ['1.2.3-dirty', '1.2.3'],
    ['v1.2.4-0.20240101120000-abcdef012345', 'v1.2.3'],
    ['v1.2.3-rc.1.0.20240101120000-abcdef012345', 'v1.2.3-rc.1'],
  ])('%s was made behind %s', (version, tag, isAtTag = false) => {
    expect(snapshotOf(version)).toEqual({ tag, isAtTag })
  })

  it.each([
    ...[
      '1.2.3',
      'v1.2.3',
      'curl-8_5_0',
      '1.1.1k',
      '1.2.3-rc1',
      '1.2.3-beta1',
      '9.3p1',
      '2021-12-13',
      '7.1.0-19',
    ],
    ...[
      '1.2.3-20240101',
      '2.0.20240101',
      '1.2.3+build5',
      '1.2.3.Final',
      'v6.1-rc3',
      'abcdef0',
      '',
      '-',
      'main',
    ],
    ...['1.0.0-1234567', '3.0.0.4.386_45956'],
  ])('%j is none', (version) => {
    expect(snapshotOf(version)).toBeUndefined()
  })

  it('takes time in proportion to the length', () => {
    const start = performance.now()
    for (const part of ['1-', '1', '-', '1-1-g', 'a', '1+git']) snapshotOf(part.repeat(500))
    expect(performance.now() - start).toBeLessThan(500)
  })
})
