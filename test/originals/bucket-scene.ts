import { createHash } from 'node:crypto'
import { openOriginals } from '../../src/originals/configured.ts'
import type { Originals } from '../../src/originals/originals.ts'
import { SbomReceipt } from '../../src/contract/sbom/shapes.ts'
import { downloadSbom } from '../../src/contract/sbom/operations.ts'
import type { AppSession } from '../support/app-session.ts'
import { call, testKeys, testSealing, type Answer } from '../support/http.ts'
import { S3Server } from '../support/s3-server.ts'
import { sampleSbom } from '../support/sample-sbom.ts'
import { sampleVex } from '../support/sample-vex.ts'
import type { TestWorkspace } from '../support/scene.ts'
import { openDisclosureScene, type DisclosureScene } from '../disclosure/disclosure-scene.ts'
import { readAs } from '../support/read-as.ts'

export const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

let serial = 0
export const nextSbom = () => sampleSbom({ components: 3, serial: (serial += 1) })
export const nextVex = () => sampleVex((serial += 1))

type Options = { hasParserChildren?: boolean; uploads?: 'store' | 'database' }

/** Two workspaces behind a server that stores originals in a bucket. */
export class BucketScene {
  readonly bucket: S3Server
  readonly scene: DisclosureScene
  readonly owner: AppSession
  /** As commands take them. */
  readonly originals: Originals

  private constructor(
    bucket: S3Server,
    scene: DisclosureScene,
    { owner, originals }: { owner: AppSession; originals: Originals },
  ) {
    this.bucket = bucket
    this.scene = scene
    this.owner = owner
    this.originals = originals
  }

  static async open({ hasParserChildren = false, uploads = 'store' }: Options = {}): Promise<BucketScene> {
    const bucket = await S3Server.start()
    const objectStore = bucket.settings(testKeys, { OBJECT_STORE_UPLOADS: uploads })
    const scene = await openDisclosureScene({ objectStore, hasParserChildren })
    const owner = await scene.signIn(scene.acme, 'owner')
    const log = { error: () => undefined }
    const originals = openOriginals(objectStore, { log, sealing: testSealing })
    return new BucketScene(bucket, scene, { owner, originals })
  }

  async close(): Promise<void> {
    await this.originals.store?.close()
    await this.scene.close()
    await this.bucket.stop()
  }

  get db() {
    return this.scene.database.db
  }

  send(path: string, body: Uint8Array, of: TestWorkspace = this.scene.acme): Promise<Answer> {
    return call(`${this.scene.http.url}${path}`, {
      method: 'POST',
      token: of.families[0]?.upload ?? '',
      body,
    })
  }

  /** Sends an SBOM that must be new. */
  async sent(body: Uint8Array, of?: TestWorkspace): Promise<SbomReceipt> {
    const answer = await this.send('/api/v1/sboms', body, of)
    if (answer.status !== 202) throw new Error(`an upload was answered ${answer.status}`)
    return readAs(SbomReceipt, answer.body)
  }

  download(sbom: string) {
    return this.owner.ask(downloadSbom, { params: { sbom } })
  }

  sbomRow(id: string) {
    return this.db.selectFrom('sbom').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  }

  async keyOf(sbomId: string, of = this.scene.acme): Promise<string> {
    const { object_id: id } = await this.sbomRow(sbomId)
    return this.bucket.keysOf(of.id).find((key) => key.endsWith(`/${id}`)) ?? ''
  }

  objects() {
    return this.db.selectFrom('original_object').selectAll().orderBy('id').execute()
  }
}
