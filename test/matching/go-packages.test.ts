import { afterAll, beforeAll, expect, test } from 'vitest'
import { testNow } from '../support/clock.ts'
import { UploadScene } from '../support/upload-scene.ts'
import { answerTo, type Answered } from './distribution-scene.ts'
import { fixedIn, loadRecords } from './match-support.ts'

/** Packages inside of Go modules, as cyclonedx-gomod lists them with `-packages`; records name modules. */

let scene: UploadScene
beforeAll(async () => {
  scene = await UploadScene.open()
  await loadRecords(
    scene.database.db,
    fixedIn('GO-2026-0001', 'Go', 'golang.org/x/net', '0.5.0'),
    fixedIn('GO-2026-0002', 'Go', 'example.com/vault', '1.5.0'),
    fixedIn('GO-2026-0003', 'Go', 'example.com/vault/sdk', '0.5.0'),
    fixedIn('GO-2026-0004', 'Go', 'stdlib', '1.26.9'),
  )
  await scene.database.db
    .updateTable('data_source')
    .set({ is_whole: true, last_success_at: testNow })
    .execute()
})
afterAll(() => scene.close())

const goModule = (path: string) => `pkg:golang/${path}?type=module&goos=linux`
const goPackage = (path: string) => `pkg:golang/${path}?type=package`

const net = 'GO-2026-0001 unknown exact 0.5.0'
const vault = 'GO-2026-0002 unknown exact 1.5.0'
const sdk = 'GO-2026-0003 unknown exact 0.5.0'

test.each<[what: string, purls: string[], answer: Answered]>([
  [
    'with its module',
    [goModule('golang.org/x/net@v0.1.0'), goPackage('golang.org/x/net/html@v0.1.0')],
    { found: [net], states: { covered: 2 } },
  ],
  [
    'the package at the root of its module',
    [goModule('golang.org/x/net@v0.1.0'), goPackage('golang.org/x/net@v0.1.0')],
    { found: [net], states: { covered: 2 } },
  ],
  [
    'before its module',
    [goPackage('golang.org/x/net/html@v0.1.0'), 'pkg:golang/golang.org/x/net@v0.1.0'],
    { found: [net], states: { covered: 2 } },
  ],
  ['alone', [goPackage('golang.org/x/net/html@v0.1.0')], { found: [], states: { notCovered: 1 } }],
  [
    'beside another version of its module',
    [goModule('golang.org/x/net@v0.6.0'), goPackage('golang.org/x/net/html@v0.1.0')],
    { found: [], states: { covered: 1, notCovered: 1 } },
  ],
  [
    'beside a module that only begins alike',
    [goModule('golang.org/x/ne@v0.1.0'), goPackage('golang.org/x/net/html@v0.1.0')],
    { found: [], states: { covered: 1, notCovered: 1 } },
  ],
  [
    'of the longer of two modules',
    [
      goModule('example.com/vault@v1.0.0'),
      goModule('example.com/vault/sdk@v1.0.0'),
      goPackage('example.com/vault/sdk/helper@v1.0.0'),
    ],
    { found: [vault], states: { covered: 3 } },
  ],
  [
    'of the one in its version',
    [
      goModule('example.com/vault@v2.0.0'),
      goModule('example.com/vault/sdk@v0.1.0'),
      goPackage('example.com/vault/sdk/helper@v0.1.0'),
    ],
    { found: [sdk], states: { covered: 3 } },
  ],
  [
    'of the standard library',
    [goPackage('crypto/x509@go1.26.8')],
    { found: ['GO-2026-0004 unknown exact 1.26.9'], states: { covered: 1 } },
  ],
])('%s', async (_what, purls, answer) => {
  expect(await answerTo(scene, purls)).toEqual(answer)
})
