import { expect, it } from 'vitest'
import { readSpdxOf as read } from '../sample-documents.ts'

const relation = (text: string) => {
  const [spdxElementId, relationshipType, relatedSpdxElement] = text.split(' ')
  return { spdxElementId, relationshipType, relatedSpdxElement }
}

it.each<[what: string, relations: string[], scope: string | undefined]>([
  ['nothing is said of', [], undefined],
  ['only contained', ['product CONTAINS lib'], undefined],
  ['only for development', ['lib DEV_DEPENDENCY_OF product'], 'excluded'],
  ['only for tests', ['lib TEST_DEPENDENCY_OF product', 'product CONTAINS lib'], 'excluded'],
  ['a tool for tests', ['lib TEST_TOOL_OF product'], 'excluded'],
  ['optional', ['lib OPTIONAL_DEPENDENCY_OF product'], 'optional'],
  [
    'optional, and for tests',
    ['lib OPTIONAL_DEPENDENCY_OF product', 'lib TEST_DEPENDENCY_OF product'],
    'optional',
  ],
  [
    'for tests, and optional',
    ['lib TEST_DEPENDENCY_OF product', 'lib OPTIONAL_COMPONENT_OF product'],
    'optional',
  ],
  ['for tests, and needed', ['lib TEST_DEPENDENCY_OF product', 'lib DEPENDENCY_OF product'], undefined],
  ['needed, and for tests', ['product DEPENDS_ON lib', 'lib TEST_DEPENDENCY_OF product'], undefined],
  ['linked, and for development', ['lib DEV_DEPENDENCY_OF product', 'product STATIC_LINK lib'], undefined],
  ['what builds it, which may be delivered', ['lib BUILD_DEPENDENCY_OF product'], undefined],
  ['what the environment provides', ['lib PROVIDED_DEPENDENCY_OF product'], undefined],
])('of a package that is %s', (_, relations, scope) => {
  const packages = ['product', 'lib'].map((id) => ({ SPDXID: id, name: id }))
  const { components } = read({ packages, relationships: relations.map(relation) })
  expect(components.map((component) => component.scope)).toEqual([undefined, scope])
})

it('an optional component is below what it is one of', () => {
  const packages = ['product', 'lib'].map((id) => ({ SPDXID: id, name: id }))
  const relationships = [relation('lib OPTIONAL_COMPONENT_OF product')]
  const { dependencies } = read({ packages, relationships })
  expect(dependencies).toEqual([{ from: 'product', to: 'lib' }])
})

/** spdx-maven-plugin 1.0.3 writes whatever is above first. */
it('relationships that make the described package a dependency of something are read the other way round', () => {
  const packages = ['product', 'junit', 'hamcrest', 'lib'].map((id) => ({ SPDXID: id, name: id }))
  const relationships = [
    'SPDXRef-DOCUMENT DESCRIBES product',
    'product DYNAMIC_LINK lib',
    'junit TEST_DEPENDENCY_OF hamcrest',
    'product TEST_DEPENDENCY_OF junit',
  ].map(relation)
  const { components, dependencies } = read({ packages, relationships })
  expect(components.map(({ name, scope }) => [name, scope])).toEqual([
    ['product', undefined],
    ['junit', 'excluded'],
    ['hamcrest', 'excluded'],
    ['lib', undefined],
  ])
  expect(dependencies).toEqual([
    { from: 'product', to: 'lib' },
    { from: 'junit', to: 'hamcrest' },
    { from: 'product', to: 'junit' },
  ])
})

it('where a document describes several packages, one may be for the tests of another', () => {
  const packages = ['product', 'lib'].map((id) => ({ SPDXID: id, name: id }))
  const relationships = [
    'SPDXRef-DOCUMENT DESCRIBES product',
    'SPDXRef-DOCUMENT DESCRIBES lib',
    'lib TEST_DEPENDENCY_OF product',
  ].map(relation)
  const { components } = read({ packages, relationships })
  expect(components.map(({ scope }) => scope)).toEqual([undefined, 'excluded'])
})
