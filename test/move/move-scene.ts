import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { originalColumns } from '../../src/cli/operation/objects.ts'
import { makeVersionCurrent } from '../../src/contract/products/operations.ts'
import { exportRows } from '../../src/move/export-workspace.ts'
import { importWorkspace } from '../../src/move/import-workspace.ts'
import { chainEvents } from '../../src/audit/chain-events.ts'
import { openOriginals } from '../../src/originals/configured.ts'
import { originalsInDatabase, type Originals } from '../../src/originals/originals.ts'
import { createKeyRing, newKeyText, parseKeys, type KeyRing } from '../../src/platform/sealing/key-ring.ts'
import { createSealing, placeCanary, type Sealing } from '../../src/platform/sealing/sealing.ts'
import { fillWorkspace } from '../reliability/scenarios/isolation/fill-workspace.ts'
import { AppSession } from '../support/app-session.ts'
import { testNow } from '../support/clock.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { drain } from '../support/drain.ts'
import { startTestHttp, testKeys, testSealing, type TestHttp } from '../support/http.ts'
import { addRecord } from '../support/records.ts'
import type { S3Server } from '../support/s3-server.ts'
import { createScene, type TestWorkspace } from '../support/scene.ts'

export const onProgress = () => undefined
export const operator = { kind: 'system', id: null, name: 'command line' } as const

export function newRing(): KeyRing {
  const ring = createKeyRing(parseKeys(newKeyText()))
  if (ring === null) throw new Error('no ring')
  return ring
}

/** An installation: its database and keys, and where it stores originals (default: the database). */
export type Installation = { store: TestDatabase; sealing: Sealing; originals?: Originals }

export async function openInstallation(sealing = createSealing(newRing())): Promise<Installation> {
  const store = await createTestDatabase()
  await placeCanary(store.db, sealing, testNow)
  return { store, sealing }
}

const log = { error: () => undefined }

/** The settings of an installation that stores originals in a bucket, as its commands take them. */
export function originalsIn(bucket: S3Server, sealing: Sealing, env: Record<string, string> = {}): Originals {
  return openOriginals(bucket.settings(undefined, env), { log, sealing })
}

/** One installation with two workspaces that have some of everything, and a folder for archives. */
export class MoveScene {
  readonly source: Installation
  readonly http: TestHttp
  readonly workspaces: readonly [TestWorkspace, TestWorkspace]
  readonly folder: string
  readonly transport = newRing()

  private constructor(opened: Pick<MoveScene, 'source' | 'http' | 'workspaces' | 'folder'>) {
    this.source = opened.source
    this.http = opened.http
    this.workspaces = opened.workspaces
    this.folder = opened.folder
  }

  /** With a bucket, uploads are stored there. */
  static async open(bucket?: S3Server): Promise<MoveScene> {
    const source = await openInstallation(testSealing)
    const objectStore = bucket?.settings(testKeys)
    const http = await startTestHttp({
      database: source.store,
      now: () => testNow,
      ...(objectStore === undefined ? {} : { objectStore }),
    })
    const { db } = source.store
    const workspaces = await createScene(db)
    for (const workspace of workspaces) {
      const ids = await fillWorkspace({ url: http.url, db, workspace })
      const session = await AppSession.signIn(http.url, workspace.members.owner)
      await session.call(makeVersionCurrent, { params: { family: ids['family'], version: ids['version'] } })
      await drain(db, testNow)
    }
    await chainEvents(db)
    return new MoveScene({ source, http, workspaces, folder: await mkdtemp(join(tmpdir(), 'move-')) })
  }

  async close(): Promise<void> {
    await this.http.stop()
    await this.source.store.drop()
    await rm(this.folder, { recursive: true })
  }

  file(name: string): string {
    return join(this.folder, name)
  }

  async export(name: string, { from = this.source, workspace = this.workspaces[0], now = testNow } = {}) {
    return exportRows(from.store.connection, {
      workspaceId: workspace.id,
      file: this.file(name),
      sealing: from.sealing,
      originals: from.originals ?? originalsInDatabase,
      originalColumns: await originalColumns(),
      transport: this.transport,
      now,
      onProgress,
    })
  }

  async import(
    name: string,
    to: Installation,
    more: { slug?: string; transport?: KeyRing; now?: Date } = {},
  ) {
    return importWorkspace(to.store, {
      file: this.file(name),
      sealing: to.sealing,
      originals: to.originals ?? originalsInDatabase,
      originalColumns: await originalColumns(),
      transport: this.transport,
      actor: operator,
      now: testNow,
      onProgress,
      ...more,
    })
  }
}

/** The data fetched by both installations, with different numbers here: a record of this installation only came first. */
export async function addVulnerabilityData({ store }: Installation): Promise<void> {
  const affected = [
    { ecosystem: 'npm', name: 'shared-lib', scheme: 'semver', ranges: [['0', '2.0.0']] },
  ] as const
  await addRecord(store.db, { id: 'CVE-2026-1', affected: [{ ...affected[0], name: 'another-lib' }] })
  await addRecord(store.db, { id: 'CVE-2026-2', affected: [{ ...affected[0], name: 'a-third-lib' }] })
  await addRecord(store.db, { id: 'CVE-2026-4242', affected })
}
