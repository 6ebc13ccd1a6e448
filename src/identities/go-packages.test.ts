import { expect, it } from 'vitest'
import { identify } from './identify.ts'
import { thing } from './identity-table.ts'
import { surroundingsIn } from './surroundings.ts'

const purl = 'pkg:golang/example.com/app/cmd@v0.0.0-20240102030405-abcdefabcdef?type=package'
const main = thing({
  type: 'application',
  purl: 'pkg:golang/example.com/app@v0.0.0-20240102030405-abcdefabcdef?type=module',
})

function identified(listed: typeof main | null) {
  const component = thing({ purl })
  return identify(component, surroundingsIn({ operatingSystem: null, main: listed, components: [component] }))
}

it('a package of the main module has no released version either', () => {
  expect(identified(main).decidability).toBe('no_version')
})

it('a package counts as covered where its module is listed as a dependency', () => {
  expect(identified({ ...main, type: 'library' }).decidability).toBe('covered')
})

it('a package without its module says why it is not covered', () => {
  expect(identified(null)).toMatchObject({
    decidability: 'not_covered',
    subject: 'pkg:golang/example.com/app/cmd',
    reason:
      'Records name modules of Go, and the document does not list the one that this package is from in the same version.',
  })
})
