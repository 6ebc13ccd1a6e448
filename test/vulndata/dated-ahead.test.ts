import { expect, test } from 'vitest'
import { later, testNow } from '../support/clock.ts'
import { serveFeed } from './feed-scene.ts'
import { addIdentity, mirrorOf, record, type TestRecord } from './support.ts'

const feed = serveFeed('osv', { start: testNow })

function offer(records: TestRecord[]): void {
  for (const [path, content] of Object.entries(mirrorOf('npm', records))) feed.server.files.set(path, content)
}

const ahead = (id: string) => record(id, 'npm/ahead', { modified: '2999-01-01T00:00:00Z' })
const changedAt = (minutes: number, id: string) =>
  record(id, 'npm/changed', { modified: later(minutes).toISOString() })

test('a record that is dated years ahead keeps no later change out, whether it came with the whole file or among changes', async () => {
  await addIdentity(feed.db, 'npm', 'ahead')
  const records = [ahead('OSV-AHEAD-1')]
  const publish = async (minutes: number, more: TestRecord) => {
    records.push(more)
    offer(records)
    await feed.refresh(later(minutes))
    expect(await feed.live()).toContain(more.id)
  }
  offer(records)
  await feed.refresh()
  expect(await feed.live()).toEqual(['OSV-AHEAD-1'])
  await publish(10, changedAt(5, 'OSV-CHANGED-1'))
  await publish(20, ahead('OSV-AHEAD-2'))
  await publish(30, changedAt(25, 'OSV-CHANGED-2'))
})
