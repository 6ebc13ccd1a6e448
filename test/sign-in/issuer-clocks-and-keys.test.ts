import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { testNow } from '../support/clock.ts'
import { openCompanyScene } from './company-scene.ts'

let scene: Awaited<ReturnType<typeof openCompanyScene>>

beforeAll(async () => {
  scene = await openCompanyScene()
})
afterAll(() => scene.close())
beforeEach(() => {
  scene.issuer.set({}, testNow)
})

const seconds = Math.floor(testNow.getTime() / 1000)
const clocks: [name: string, twist: { byMs?: number; claims?: Record<string, unknown> }, status: number][] = [
  ['goes 50 seconds fast', { byMs: 50_000 }, 200],
  ['goes slow, its token ended 50 seconds ago', { byMs: -350_000 }, 200],
  ['goes slow, its token ended 70 seconds ago', { byMs: -370_000 }, 409],
  ['has a token begin in 50 seconds', { claims: { nbf: seconds + 50 } }, 200],
  ['has a token begin in 70 seconds', { claims: { nbf: seconds + 70 } }, 409],
  ['names no end of its token', { claims: { exp: undefined } }, 409],
  ['names no time of its token', { claims: { iat: undefined } }, 409],
]

it.each(clocks)('an issuer whose clock %s', async (_name, { byMs = 0, claims = {} }, status) => {
  scene.issuer.set({ claims }, new Date(testNow.getTime() + byMs))
  expect(await scene.signIn()).toBe(status)
})

it('one that signs with another key lets in, even when it has changed the key in the middle of a sign-in', async () => {
  expect(await scene.signIn()).toBe(200)
  scene.issuer.rotate('two')
  expect(await scene.signIn()).toBe(200)
  expect(await scene.signIn(() => scene.issuer.rotate('three'))).toBe(200)
  // some issuers reuse the old key's name for the new key
  expect(await scene.signIn(() => scene.issuer.rotate('three'))).toBe(200)
})

it('one that names another person of the same address lets nobody in', async () => {
  expect(await scene.signIn()).toBe(200)
  scene.issuer.set({ claims: { sub: 'olga-2' } }, testNow)
  expect(await scene.signIn()).toBe(401)
  scene.issuer.set({ claims: { sub: 'OLGA-1' } }, testNow)
  expect(await scene.signIn()).toBe(401)
})
