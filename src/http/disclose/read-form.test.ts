import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import type { IncomingMessage } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import { Busboy } from '@fastify/busboy'
import { expect, it, vi } from 'vitest'
import { ArrivingBodies, noWorkspace } from '../bodies/arriving-bodies.ts'
import { paceRule } from '../bodies/body-pace.ts'
import { readForm } from './read-form.ts'
import { memoryInUseMB } from '../../../test/support/memory-in-use.ts'

const owner = { workspaceId: noWorkspace, senderId: '192.0.2.1' }
const fileHead = '--b\r\nContent-Disposition: form-data; name="files"; filename="a.txt"\r\n\r\n'

/** A form that has begun to come. */
function arrivingForm(): IncomingMessage {
  const headersDistinct = { 'content-type': ['multipart/form-data; boundary=b'] }
  return Object.assign(new PassThrough(), { headersDistinct }) as unknown as IncomingMessage
}

it.each([
  ['parts', '--b\r\nContent-Disposition: form-data; name="x"\r\n\r\n\r\n'],
  ['boundaries', '--b\r\n'],
])('reads on past %s without end, but takes none of them apart', async (_what, part) => {
  const bound = { maxBytes: 1_000_000, maxBodies: 10 }
  const bodies = new ArrivingBodies({ ...bound, strangers: bound, pace: paceRule })
  const request = arrivingForm()
  const sent = request as unknown as PassThrough
  const reading = readForm(request, { bodies, owner })
  const title = '--b\r\nContent-Disposition: form-data; name="title"\r\n\r\nA flaw\r\n'
  const chunk = part.repeat(65_536 / part.length)
  const takenApart = vi.spyOn(Busboy.prototype, 'write')
  sent.write(title)
  for (let count = 0; count < 100; count += 1) if (!sent.write(chunk)) await once(sent, 'drain')
  sent.end()
  const { problem, fields } = await reading
  expect([problem, fields.get('title')]).toEqual(['broken', 'A flaw'])
  // the title, and the chunk that has too many
  expect(takenApart).toHaveBeenCalledTimes(2)
  takenApart.mockRestore()
})

it('takes nothing more of a form that has to make room for others', async () => {
  const bound = { maxBytes: 100_000, maxBodies: 10 }
  const bodies = new ArrivingBodies({ ...bound, strangers: bound, pace: paceRule })
  const request = arrivingForm()
  const sent = request as unknown as PassThrough
  const reading = readForm(request, { bodies, owner })
  sent.write(fileHead + 'a'.repeat(50_000))
  sent.write('a'.repeat(60_000))
  await expect(reading).rejects.toMatchObject({ code: 'internal' })
  expect([bodies.heldBytes, bodies.count]).toEqual([0, 0])
  expect([request.listenerCount('data'), request.isPaused()]).toEqual([0, true])
})

it.each([
  ['a file', fileHead],
  ['a field', '--b\r\nContent-Disposition: form-data; name="description"\r\n\r\n'],
])('takes no more memory for %s because it comes byte by byte', async (_what, head) => {
  const bound = { maxBytes: 10_000_000, maxBodies: 10 }
  const bodies = new ArrivingBodies({ ...bound, strangers: bound, pace: paceRule })
  const request = arrivingForm()
  const sent = request as unknown as PassThrough
  const reading = readForm(request, { bodies, owner })
  const beforeMB = memoryInUseMB()
  sent.write(head)
  for (let count = 0; count < 120_000; count += 1)
    if (!sent.write(Buffer.from('a'))) await once(sent, 'drain')
  await setImmediate()
  expect(memoryInUseMB() - beforeMB).toBeLessThan(4)
  sent.end('\r\n--b--\r\n')
  const { problem, fields, attachments } = await reading
  expect(problem).toBeNull()
  expect(attachments[0]?.bytes.length ?? fields.get('description')?.length).toBe(120_000)
})
