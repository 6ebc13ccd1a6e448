import { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { inTurn } from './take-turns.ts'

/** The first request of a new connection, and its answer. */
function firstOf(remoteAddress: string, forwarded?: string) {
  const socket = { remoteAddress, destroyed: false }
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
  const request = { socket, headers } as unknown as IncomingMessage
  return { socket, request, response: new EventEmitter() as ServerResponse }
}

type Sent = ReturnType<typeof firstOf>

function begunOf(sent: readonly Sent[]): IncomingMessage[] {
  const begun: IncomingMessage[] = []
  const take = inTurn((request) => begun.push(request))
  for (const { request, response } of sent) take(request, response)
  return begun
}

const proxy = '10.0.0.1'
it.each([
  ['another address', () => firstOf('192.0.2.1'), firstOf('192.0.2.2')],
  [
    'another client of the proxy',
    () => firstOf(proxy, '203.0.113.5, 192.0.2.1'),
    firstOf(proxy, '192.0.2.1,192.0.2.2'),
  ],
])(
  'a hundred connections of one client do not keep %s waiting, and all are answered',
  async (_who, one, other) => {
    const begun = begunOf([...Array.from({ length: 100 }, one), other])
    await nextTurn()
    expect(begun).toContain(other.request)
    // those of one turn of the loop, and of the next
    expect(begun.length).toBeLessThan(40)
    for (let turn = 0; turn < 10; turn += 1) await nextTurn()
    expect(begun).toHaveLength(101)
  },
)

it('nothing is done for a client that has gone before its turn', async () => {
  const sent = Array.from({ length: 30 }, () => firstOf('192.0.2.1'))
  const begun = begunOf(sent)
  const gone = sent.at(-1)
  if (gone !== undefined) gone.socket.destroyed = true
  for (let turn = 0; turn < 5; turn += 1) await nextTurn()
  expect(begun).toEqual(sent.slice(0, -1).map(({ request }) => request))
})
