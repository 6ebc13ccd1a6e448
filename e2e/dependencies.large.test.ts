import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { endAfterTests, openScene, type Scene } from './support/scene.ts'
import { rowWith } from './support/rows.ts'

const log4j = 'pkg:maven/org.apache.logging.log4j/log4j-core@2.14.1'
const component = (name: string, purl = `pkg:maven/example/${name}@1.0`) => ({
  type: 'library',
  'bom-ref': name,
  name,
  version: purl.slice(purl.lastIndexOf('@') + 1),
  purl,
})

/**
 * The gateway and, further down, the reporter bring log4j; many small components follow; an orphan has dependencies but no path reaches it.
 */
const parts = Array.from({ length: 120 }, (_, at) => `part-${String(at).padStart(3, '0')}`)
const links: Record<string, string[]> = {
  root: ['gateway', 'reporter', ...parts],
  gateway: ['log4j-core'],
  reporter: ['templates'],
  templates: ['log4j-core', 'reporter'],
  orphan: ['left-behind'],
}
const sbom = (version: string, dependencies: object[]) =>
  JSON.stringify({
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { type: 'application', 'bom-ref': 'root', name: 'pump-controller', version } },
    components: [
      ...['gateway', 'reporter', 'templates', 'orphan', 'left-behind', ...parts].map((name) =>
        component(name),
      ),
      component('log4j-core', log4j),
    ],
    dependencies,
  })

let scene: Scene
let page: Page

beforeAll(async () => {
  scene = await openScene({ owner: 'Olga' })
  page = scene.page
  await scene.signIn(page, 'olga@acme.example')
}, 240_000)

endAfterTests(() => scene)

async function openTab(version: string, dependencies: object[]): Promise<void> {
  const { id } = await scene.sendSbom(sbom(version, dependencies))
  await page.goto(`${scene.service.baseUrl}/app/acme/sboms/${id}?tab=dependencies`)
}
const item = (name: RegExp) => page.getByRole('treeitem', { name })
/** What the page can be scrolled by behind its end. */
const emptyBelowPx =
  'document.documentElement.scrollHeight - Math.max(innerHeight, Math.ceil(document.documentElement.getBoundingClientRect().height))'
const focused = () => page.locator('[role="treeitem"]:focus')

it('opens the tree step by step, by keys too, and says why a component is there', async () => {
  await openTab(
    '1.0',
    Object.entries(links).map(([ref, dependsOn]) => ({ ref, dependsOn })),
  )
  await item(/^gateway/).waitFor()
  expect(await item(/^gateway/).textContent()).toContain('below: Critical')
  expect(await item(/^part-1/).count()).toBe(0)
  expect(await page.evaluate(emptyBelowPx)).toBeLessThanOrEqual(1)
  await scene.look('dependencies')

  await item(/^pump-controller/).focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowRight')
  await item(/^log4j-core/).waitFor()
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => focused().textContent()).toMatch(/^log4j-core 2.14.1Exploited.*Critical/)
  expect(await focused().getAttribute('aria-level')).toBe('3')
  await page.keyboard.press('Enter')
  const drawer = page.getByRole('dialog')
  await drawer.getByText('The 2 shortest paths to it:').waitFor()
  expect(await drawer.getByRole('listitem').allTextContents()).toEqual([
    'gateway 1.0 › log4j-core 2.14.1',
    'reporter 1.0 › templates 1.0 › log4j-core 2.14.1',
  ])
  await drawer.getByText(/It comes in through 2 of the 122 direct dependencies/).waitFor()
  await scene.look('dependency-paths')
  await page.keyboard.press('Escape')
  await drawer.waitFor({ state: 'hidden' })

  await item(/^gateway/).focus()
  await page.keyboard.press('ArrowLeft')
  await item(/^log4j-core/).waitFor({ state: 'hidden' })
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await item(/^reporter/).focus()
  await page.keyboard.press('ArrowRight')
  await item(/^templates/).focus()
  await page.keyboard.press('ArrowRight')
  const again = page.locator('[role="treeitem"][aria-level="4"]').filter({ hasText: 'reporter' })
  await again.waitFor()
  expect(await again.textContent()).toContain('already above')
  expect(await again.getAttribute('aria-expanded')).toBeNull()
})

it('leads to the findings that come in through a component, and back to all of them', async () => {
  await item(/^gateway/).focus()
  await page.keyboard.press('Enter')
  const drawer = page.getByRole('dialog')
  await drawer.getByRole('link', { name: 'Show the findings on it and on what it brings in' }).click()
  const findings = page.getByRole('table', { name: 'Findings' })
  await rowWith(findings, /log4j-core/)
    .first()
    .waitFor()
  const filter = page.getByRole('button', { name: 'On or through gateway 1.0' })
  await filter.waitFor()
  await scene.look('findings-through')
  await filter.click()
  await filter.waitFor({ state: 'hidden' })
  await page.goBack()
  await filter.waitFor()
  await page.goBack()
  await drawer.waitFor()
  await page.keyboard.press('Escape')
  await drawer.waitFor({ state: 'hidden' })
  await item(/^gateway/).waitFor()
})

it('lists apart what no path reaches, and finds components wherever they are', async () => {
  const apart = page.getByRole('table', { name: 'Components that no path reaches' })
  await apart.getByText('orphan').waitFor()
  await page.getByText('leads from the product to them. None of them has findings.').waitFor()
  await apart.getByText('left-behind').click()
  const drawer = page.getByRole('dialog')
  await drawer.getByText('No path of dependencies leads from the product to it.').waitFor()
  await page.keyboard.press('Escape')
  await drawer.waitFor({ state: 'hidden' })
  await page.getByRole('searchbox', { name: 'Search dependencies' }).fill('log4j')
  const found = page.getByRole('table', { name: 'Components found' })
  await found.getByText('log4j-core').first().waitFor()
  await scene.look('dependencies-found')
})

it('says in words that a document states no dependencies', async () => {
  await openTab('1.1', [])
  await page.getByText('The document does not state which component depends on which.').waitFor()
  await scene.look('dependencies-none')
  await openTab('1.2', [{ ref: 'gateway', dependsOn: ['log4j-core'] }])
  await page.getByText('The document does not state what the product itself depends on.').waitFor()
  await item(/^gateway/).waitFor()
})

it('does not say that components have no findings where none could be checked', async () => {
  const { id } = await scene.sendSbom(
    JSON.stringify({
      ...(JSON.parse(sbom('1.3', [{ ref: 'root', dependsOn: ['one'] }])) as object),
      components: ['one', 'apart'].map((name) => component(name, `pkg:generic/${name}@1.0`)),
    }),
  )
  await page.goto(`${scene.service.baseUrl}/app/acme/sboms/${id}?tab=dependencies`)
  await page
    .getByText('Whether they have findings is not known: none of the components could be checked.')
    .waitFor()
})
