import { expect, expectTypeOf, it } from 'vitest'
import type { Finding, Matches, SbomReceipt, VexReceipt } from '../../client/src/answers.ts'
import { detailHeaders, sources } from '../../client/src/details.ts'
import { limits } from '../../src/contract/limits.ts'
import type { SbomResult, WorstFinding } from '../../src/contract/sbom/result.ts'
import { uploadSources, type SbomReceipt as SentSbom } from '../../src/contract/sbom/shapes.ts'
import { tokenPattern } from '../../src/contract/tokens/shapes.ts'
import type { VexReceipt as SentVex } from '../../src/contract/vex/shapes.ts'
import { uploadToken } from './stub-service.ts'

/** The client is its own package and repeats what it needs of the contract. */
it('reads the shapes that the service sends', () => {
  expectTypeOf<SbomReceipt>().toEqualTypeOf<SentSbom>()
  expectTypeOf<SbomResult['matches']>().toExtend<Matches>()
  expectTypeOf<WorstFinding>().toExtend<Finding>()
  expectTypeOf<SentVex>().toExtend<VexReceipt>()
  expect(tokenPattern.test(uploadToken)).toBe(true)
})

it('knows the sources of the service', () => {
  expect(sources).toEqual(uploadSources)
})

it('cuts details where the service does', () => {
  const long = 'x'.repeat(5000)
  const link = (characters: number) => 'https://ci.example/'.padEnd(characters, 'x')
  const details = { productVersion: long, source: null, commit: long, branch: long, repository: long }
  const names = ['productVersion', 'commit', 'branch', 'repository', 'runUrl'] as const
  const lengths = (runUrl: string) =>
    Object.values(detailHeaders({ ...details, runUrl }, names)).map((value) => value.length)
  const cut = [
    limits.versionCharacters,
    limits.commitCharacters,
    limits.branchCharacters,
    limits.repositoryCharacters,
  ]
  expect(lengths(link(limits.runUrlCharacters))).toEqual([...cut, limits.runUrlCharacters])
  expect(lengths(link(limits.runUrlCharacters + 1))).toEqual(cut)
})
