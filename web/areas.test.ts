import { QueryClient } from '@tanstack/react-query'
import { createMemoryHistory, type LinkOptions } from '@tanstack/react-router'
import { describe, expect, it } from 'vitest'
import { pages, roomOf } from './areas.ts'
import { createAppRouter } from './routes.ts'

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
    [
      'problems of a destination',
      pages.notifications('acme', { failed: 'd-1' }),
      '/app/acme/settings/notifications?failed=d-1',
    ],
    ['finding', pages.finding('acme', 'x-1'), '/app/acme/findings/x-1'],
    ['vex', pages.vex('acme', 'd-1', { show: 'unbound' }), '/app/acme/vex/d-1?show=unbound'],
    ['connector', pages.connector('acme', { family: 'f-1' }), '/app/acme/settings/connector?family=f-1'],
    ['metrics', pages.metrics('acme', { family: 'f-1', days: '30' }), '/app/acme/metrics?family=f-1&days=30'],
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
