import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readObjectStore } from '../../src/platform/config/object-store.ts'
import type { ObjectStore } from '../../src/originals/objects/object-store.ts'
import { createS3 } from '../../src/originals/objects/s3.ts'
import { sha256Of } from '../../src/originals/originals.ts'
import { runCommand } from '../support/command.ts'
import { call } from '../support/http.ts'
import { startRealService, type RealService } from '../support/real-service.ts'
import { hasSeaweed, startSeaweed, type Seaweed } from '../support/seaweed.ts'
import { nextSbom } from './bucket-scene.ts'

describe.runIf(hasSeaweed())('SeaweedFS (skipped where no weed is on the PATH)', () => {
  let weed: Seaweed
  let store: ObjectStore
  beforeAll(async () => {
    weed = await startSeaweed()
    const { place, keys } = readObjectStore(weed.env, { canSeal: true, mistakes: [] })
    if (place === null || keys === null) throw new Error('the settings are not valid')
    store = createS3(place, keys)
  })
  afterAll(async () => {
    await store.close()
    await weed.stop()
  })

  it('takes, gives back, lists and removes objects', async () => {
    const bytes = randomBytes(300_000)
    await store.put('sbom/a/b', bytes, sha256Of(bytes))
    expect(await store.get('sbom/a/b', bytes.length)).toEqual(bytes)
    expect(await store.has('sbom/a/b')).toBe(true)
    const keys = []
    for await (const page of store.list('sbom/')) keys.push(...page)
    expect(keys).toMatchObject([{ key: 'sbom/a/b', sizeBytes: bytes.length }])
    await store.remove('sbom/a/b')
    await store.remove('sbom/a/b')
    expect(await store.has('sbom/a/b')).toBe(false)
    expect(await store.get('sbom/a/b', 10)).toBeNull()
    expect(await store.keepsVersions()).toBe(false)
  })

  it('refuses clients that do not know the secret', async () => {
    const env = { ...weed.env, AWS_SECRET_ACCESS_KEY: 'another secret' }
    const { place, keys } = readObjectStore(env, { canSeal: true, mistakes: [] })
    if (place === null || keys === null) throw new Error('the settings are not valid')
    const stranger = createS3(place, keys)
    const bytes = Buffer.from('one')
    await expect(stranger.put('sbom/a/c', bytes, sha256Of(bytes))).rejects.toMatchObject({
      reason: 'refused',
    })
    await stranger.close()
  })

  describe('with the service', () => {
    let real: RealService
    beforeAll(async () => {
      real = await startRealService({ families: 8, env: weed.env })
    })
    afterAll(() => real.close())

    it('keeps uploads, is checked, moved out of and back into', async () => {
      for (const token of real.tokens) {
        for (let count = 0; count < 3; count += 1) {
          const sent = { method: 'POST' as const, token, body: nextSbom() }
          expect((await call(`${real.service.baseUrl}/api/v1/sboms`, sent)).status).toBe(202)
        }
      }
      const run = <T>(words: string[], env = {}) => runCommand<T>({ ...real.service.env, ...env }, words)
      const whole = { kept: 24, missing: [], damaged: [], unopenable: 0, orphaned: { count: 0 } }
      expect(await run(['objects', 'check'])).toMatchObject(whole)
      const leaving = { OBJECT_STORE_UPLOADS: 'database' }
      const moved = { moved: 24, unreadable: 0 }
      expect(await run(['objects', 'move', '--to', 'database'], leaving)).toMatchObject(moved)
      expect(await run(['objects', 'move', '--to', 'store'])).toMatchObject(moved)
      await real.query(`update original_object set erase_from = now() where state = 'erasing'`)
      await run(['drain'])
      expect(await run(['objects', 'check'])).toMatchObject({ ...whole, erasing: 0 })
      const events = await real.query(
        `select after from audit_event where action = 'workspace.originals_erased'`,
      )
      expect(events).toMatchObject([{ after: { objects: 24 } }])
    })
  })
})
