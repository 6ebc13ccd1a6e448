import { afterAll, beforeAll, expect, it } from 'vitest'
import { selectFixedVersions, selectFixes } from '../../src/findings/fixed-versions.ts'
import { FindingScene } from '../support/finding-scene.ts'
import { addRecord } from '../support/records.ts'
import { npm } from '../support/parts.ts'

let scene: FindingScene

beforeAll(async () => {
  scene = await FindingScene.open()
  await scene.next()
})
afterAll(() => scene.close())

it('are each once, the lowest first in the order of versions, and only of ranges that contain the component', async () => {
  const name = scene.own('a')
  const fixes = [
    ['GHSA-1', '0', '1.10.0'],
    ['GHSA-2', '0', '1.9.0'],
    ['GHSA-3', '1.0.0', '1.10.0'],
    ['GHSA-4', '0', '2.0.0'],
    ['GHSA-5', '1.5.0', '1.6.0'],
  ] as const
  for (const [id, from, fixed] of fixes) {
    await addRecord(scene.db, {
      id: `${id}-${scene.count}`,
      group: 'CVE-2024-1',
      affected: [{ ecosystem: 'npm', name, scheme: 'semver', ranges: [[from, fixed]] }],
    })
  }
  await scene.upload([npm(name, '1.2.0'), npm(scene.own('b'), '1.0.0')])
  const found = await scene.db.selectFrom('finding').select(['identity_id', 'group_id']).execute()
  expect(found).toHaveLength(1)
  const subject = { identityId: found[0]?.identity_id ?? '', groupId: found[0]?.group_id ?? 0 }
  const fixesOf = await selectFixes(scene.db, [subject])
  expect(fixesOf(subject)).toEqual({ fixedIn: '1.9.0', otherFixes: ['1.10.0', '2.0.0'] })
  const fixedIn = await selectFixedVersions(scene.db, [subject])
  expect(fixedIn(subject)).toBe('1.9.0')
  const unknown = { ...subject, groupId: -1 }
  expect((await selectFixes(scene.db, [unknown]))(unknown)).toEqual({ fixedIn: null, otherFixes: [] })
})
