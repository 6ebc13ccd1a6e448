import { expect, test } from 'vitest'
import { prepareGate } from './gate.ts'

test('everyone who comes while the tests are loaded waits for them', { timeout: 120_000 }, async () => {
  const ready: string[] = []
  await Promise.all(['first', 'second'].map((name) => prepareGate().then(() => ready.push(name))))
  expect(ready).toEqual(['first', 'second'])
})
