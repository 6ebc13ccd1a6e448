import { QueryClient } from '@tanstack/react-query'
import { createMemoryHistory, type LinkOptions } from '@tanstack/react-router'
import { describe, expect, it } from 'vitest'
import { api, pages, roomOf } from './paths.ts'
import { createAppRouter } from './routes.tsx'

const router = createAppRouter(new QueryClient(), createMemoryHistory({ initialEntries: ['/app/'] }))

describe('pages', () => {
  const addresses: [string, LinkOptions, string][] = [
    ['home', pages.home(), '/app/'],
    ['signIn', pages.signIn(), '/app/sign-in'],
    [
      'signIn with next',
      pages.signIn('/acme/families?archived=true'),
      '/app/sign-in?next=%2Facme%2Ffamilies%3Farchived%3Dtrue',
    ],
    ['dashboard', pages.dashboard('acme'), '/app/acme'],
    ['families', pages.families('acme'), '/app/acme/families'],
    ['archived families', pages.families('acme', { archived: true }), '/app/acme/families?archived=true'],
    ['family', pages.family('acme', 'f-1'), '/app/acme/families/f-1'],
    ['family history', pages.family('acme', 'f-1', { tab: 'history' }), '/app/acme/families/f-1?tab=history'],
    ['sbom', pages.sbom('acme', 's-1'), '/app/acme/sboms/s-1'],
    [
      'exploited',
      pages.sbom('acme', 's-1', { exploited: true, search: '123' }),
      '/app/acme/sboms/s-1?exploited=true&search=123',
    ],
    ['finding', pages.finding('acme', 'x-1'), '/app/acme/findings/x-1'],
    ['vex', pages.vex('acme', 'd-1', { show: 'unbound' }), '/app/acme/vex/d-1?show=unbound'],
    ['connector', pages.connector('acme', { family: 'f-1' }), '/app/acme/settings/connector?family=f-1'],
    ['sources', pages.sources('acme'), '/app/acme/sources'],
    [
      'tokens',
      pages.tokens('acme', { dialog: 'create', family: 'f-1' }),
      '/app/acme/settings/tokens?dialog=create&family=f-1',
    ],
  ]

  it.each(addresses)('%s', (_name, link, address) => {
    expect(router.buildLocation(link).publicHref).toBe(address)
  })

  it.each(addresses)('%s leads to a page', (_name, link) => {
    const [, , foundRoute] = router.getMatchedRoutes(router.buildLocation(link).pathname)
    expect(foundRoute).toBeDefined()
  })
})

it.each([
  ['/acme', ''],
  ['/acme/', ''],
  ['/acme/families', 'families'],
  ['/acme/sboms/s-1', 'sboms'],
])('%s belongs to %j', (pathname, room) => {
  expect(roomOf(pathname)).toBe(room)
})

describe('api', () => {
  it.each([
    [api.session(), '/api/app/session'],
    [api.workspace('acme'), '/api/app/workspaces/acme'],
    [api.families('acme'), '/api/app/workspaces/acme/families'],
    [
      api.families('acme', { archived: true, search: 'a&b', sort: '-name' }),
      '/api/app/workspaces/acme/families?archived=true&search=a%26b&sort=-name',
    ],
    [api.familyAct('acme', 'f 1', 'archive'), '/api/app/workspaces/acme/families/f%201/archive'],
    [
      api.versionAct('acme', 'f', 'v', 'make-current'),
      '/api/app/workspaces/acme/families/f/versions/v/make-current',
    ],
    [api.familySboms('acme', 'f', 'a&b'), '/api/app/workspaces/acme/families/f/sboms?cursor=a%26b'],
    [api.sbomDownload('acme', 's'), '/api/app/workspaces/acme/sboms/s/download'],
    [
      api.components('acme', 's', { search: '@babel/core' }),
      '/api/app/workspaces/acme/sboms/s/components?search=%40babel%2Fcore',
    ],
    [
      api.findings('acme', 's', { severity: 'high', exploited: true }),
      '/api/app/workspaces/acme/sboms/s/findings?severity=high&exploited=any',
    ],
    [api.findings('acme', 's', {}), '/api/app/workspaces/acme/sboms/s/findings'],
    [
      api.familyUpload('acme', 'f', 'vex', '2.4 beta'),
      '/api/app/workspaces/acme/families/f/vex?version=2.4+beta',
    ],
    [api.familyUpload('acme', 'f', 'sboms', undefined), '/api/app/workspaces/acme/families/f/sboms'],
    [
      api.vexExport('acme', 'f', { format: 'csaf', version: undefined }),
      '/api/app/workspaces/acme/families/f/vex-export?format=csaf',
    ],
  ])('%s', (address, expected) => {
    expect(address).toBe(expected)
  })
})
