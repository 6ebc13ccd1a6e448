import { expect, it } from 'vitest'
import { testNow } from '../support/clock.ts'
import { openCompanyScene } from './company-scene.ts'

// Takes ten seconds, and so is separate from the others in company.test.ts.
it('a hostile answer is refused: one that never ends is given up', { timeout: 60_000 }, async () => {
  const { issuer, signIn, close } = await openCompanyScene()
  try {
    expect(await signIn()).toBe(200)
    issuer.set({ instead: { '/token': (answer) => void answer.writeHead(200).write('{') } }, testNow)
    expect(await signIn()).toBe(409)
  } finally {
    await close()
  }
})
