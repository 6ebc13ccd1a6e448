import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readNotificationHead } from './notification-head.ts'

const project = { uuid: 'u-1', name: 'Grün "1"', version: '2.0' }
const read = { id: 'u-1', name: 'Grün "1"', version: '2.0' }
const nothing = { id: null, name: null, version: null }
const body = (subject: unknown) =>
  JSON.stringify({ notification: { level: 'INFORMATIONAL', group: 'GROUP_BOM_PROCESSED', subject } })
const head = (text: string) => readNotificationHead(Buffer.from(text))

describe('the project of a notification that was not read', () => {
  it.each<[string, string]>([
    ['is whole', body({ project, bom: { content: 'QQ==' } })],
    ['is cut in the BOM', body({ project, bom: { content: 'A'.repeat(1000) } }).slice(0, -500)],
    [
      'has other things of the name',
      body({ name: 'no', project: { tags: [{ name: 'no' }], ...project, x: { name: 'no' } } }),
    ],
    ['is no JSON behind it', `${body({ project }).slice(0, -2)},,,]`],
    ['has the same key before', body({ project }).replace('"name":', '"name":"no","name":')],
  ])('is found where the body %s', (_case, text) => {
    expect(head(text)).toEqual({ group: 'BOM_PROCESSED', project: read })
  })

  it.each<[string, string]>([
    ['an empty body', ''],
    ['no JSON', 'notification: project: name'],
    ['no object', '["notification", {"subject": {"project": {"name": "x"}}}]'],
    ['a list in between', body([{ project }]).replace('GROUP_BOM_PROCESSED', '')],
    ['a place elsewhere', JSON.stringify({ subject: { project } })],
    ['a name that is none', body({ project: { name: 7 } }).replace('GROUP_BOM_PROCESSED', '')],
    [
      'a nesting of 100',
      `{"notification":{"x":${'['.repeat(100)}${']'.repeat(100)},"subject":{"project":{"name":"x"}}}}`,
    ],
    ['an escape that is none', '{"notification":{"subject":{"project":{"name":"\\q"}}}}'],
  ])('is not found in %s', (_case, text) => {
    expect(head(text)).toEqual({ group: null, project: nothing })
  })

  it('is read as ISO-8859-1 where the body is no UTF-8', () => {
    expect(readNotificationHead(Buffer.from(body({ project }), 'latin1')).project).toEqual(read)
  })

  it('is never half of it, wherever the body is cut', () => {
    const whole = Buffer.from(body({ project, bom: { content: 'QQ==' } }))
    fc.assert(
      fc.property(fc.integer({ min: 0, max: whole.length }), (end) => {
        const { name, version, id } = readNotificationHead(whole.subarray(0, end)).project
        expect([null, read.name]).toContain(name)
        expect([null, read.version]).toContain(version)
        expect([null, read.id]).toContain(id)
      }),
      { numRuns: 300 },
    )
  })

  it('takes any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(readNotificationHead(bytes).project).toBeDefined()
      }),
    )
  })

  it('is cut to what is kept', () => {
    expect(head(body({ project: { name: 'n'.repeat(1000) } })).project.name).toHaveLength(300)
  })
})
