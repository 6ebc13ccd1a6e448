import { createHash, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { UploadSource } from '../../src/contract/sbom/shapes.ts'
import type { VexDocument, VexStatement, VexTarget, Verdict } from '../../src/contract/vex/shapes.ts'
import type { Db } from '../../src/database/connection.ts'
import { decideFindings } from '../../src/findings/verdicts/decide-findings.ts'
import { matchSbom } from '../../src/findings/changes/match-sbom.ts'
import { refreshFamilyFindings } from '../../src/findings/refresh/refresh-findings.ts'
import { documentRows } from '../../src/vex/documents/document-rows.ts'
import { insertDocument } from '../../src/vex/documents/insert-document.ts'
import { replaceDocuments } from '../../src/vex/documents/queries.ts'
import { addRecord } from '../support/records.ts'
import type { Part } from '../support/parts.ts'
import { addMember, addFamily, addSbom, addVersion, addWorkspace, type Family } from '../support/rows.ts'
import { createFamilyToken } from '../support/company.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { later, testNow } from '../support/clock.ts'

export type Said = Partial<VexStatement> & { targets?: VexTarget[] }

export type SentDocument = {
  statements: readonly Said[]
  findings?: readonly Said[]
  versionId?: string | null
  sbomId?: string | null
  source?: UploadSource
  now?: Date
  author?: string
}

export function statement(said: Said): VexStatement {
  return { pointer: '/0', vulnerabilityIds: [], targets: [], productLabel: 'something', ...said }
}

/** Stores a document as an upload does, replacing the one of its source and version; returns its id. */
export async function sendDocument(db: Db, family: Family, sent: SentDocument): Promise<string> {
  const { versionId = null, sbomId = null, source = 'api', now = testNow } = sent
  const document: VexDocument = {
    format: 'openvex',
    formatLabel: 'OpenVEX 0.2.0',
    ...(sent.author === undefined ? {} : { author: sent.author }),
    statements: sent.statements.map(statement),
    findings: (sent.findings ?? []).map(statement),
    unbound: 0,
    hints: [],
  }
  const id = randomUUID()
  const token = await createFamilyToken(db, { ...family, slug: '' })
  await db.transaction().execute(async (tx) => {
    if (sbomId === null) await replaceDocuments(tx, { ...family, versionId, source }, { by: id, at: now })
    await insertDocument(tx, {
      id,
      sender: { ...family, tokenId: token.id, name: 'ci' },
      source,
      receivedAt: now,
      versionId,
      sbomId,
      sha256: createHash('sha256').update(id).digest(),
      sizeBytes: 2,
      raw:
        sbomId === null
          ? { placed: { kind: 'database', bytes: Buffer.from('{}'), objectId: null }, encoding: 'identity' }
          : null,
      document,
      rows: documentRows(document),
    })
  })
  return id
}

/** Sends a document and refreshes the family's findings. */
export async function applyDocument(db: Db, family: Family, sent: SentDocument): Promise<string> {
  const id = await sendDocument(db, family, sent)
  await refreshFamilyFindings(db, { ...family, now: sent.now ?? testNow })
  return id
}

export type FoundVerdict = {
  version: string | null
  component: string
  title: string
  verdict: Verdict | null
  source: 'decision' | 'document' | null
}

/** The verdicts of a family's open findings, in a stable order. */
export async function verdictsOf(db: Db, { familyId }: Family): Promise<FoundVerdict[]> {
  const { rows } = await sql<FoundVerdict>`
    select p.name as version, i.subject || ' ' || i.version as component, g.title_id as title, f.verdict,
      case when f.verdict_decision_id is not null then 'decision' when f.verdict is not null then 'document' end as source
    from finding f
    join component_identity i on i.id = f.identity_id
    join vulnerability_group g on g.id = f.group_id
    left join product_version p on p.id = f.version_id
    where f.family_id = ${familyId} and f.closed_at is null
    order by p.name nulls first, 2, 3`.execute(db)
  return rows
}

/** A document's statement about the npm package left. */
export const left = (verdict: Verdict, more: Said = {}): Said => ({
  vulnerabilityIds: ['CVE-2024-1'],
  verdict,
  targets: [{ kind: 'component', purl: 'pkg:npm/left' }],
  ...more,
})

export type Word = Parameters<typeof decideFindings>[2]

/** A workspace with vulnerability data, and a new family for each test. */
export class VerdictScene {
  readonly database: TestDatabase
  readonly workspaceId: string
  readonly otherWorkspaceId: string
  readonly personId: string
  count = 0
  family: Family = { workspaceId: '', familyId: '' }
  /** `1.0` */
  versionId = ''

  private constructor(
    database: TestDatabase,
    ids: Record<'workspaceId' | 'otherWorkspaceId' | 'personId', string>,
  ) {
    this.database = database
    this.workspaceId = ids.workspaceId
    this.otherWorkspaceId = ids.otherWorkspaceId
    this.personId = ids.personId
  }

  static async open(): Promise<VerdictScene> {
    const database = await createTestDatabase()
    const workspaceId = await addWorkspace(database.db, 'acme')
    const otherWorkspaceId = await addWorkspace(database.db, 'other')
    await addRecords(database.db)
    const personId = await addMember(database.db, workspaceId)
    return new VerdictScene(database, { workspaceId, otherWorkspaceId, personId })
  }

  get db(): Db {
    return this.database.db
  }

  get pool(): TestDatabase['pool'] {
    return this.database.pool
  }

  async close(): Promise<void> {
    await this.database.drop()
  }

  async next(): Promise<void> {
    this.count += 1
    this.family = await addFamily(this.db, this.workspaceId, `Family ${this.count}`)
    this.versionId = await addVersion(this.db, this.family, '1.0')
  }

  async upload(parts: readonly Part[], versionId: string | null = this.versionId): Promise<string> {
    const sbomId = await addSbom(this.db, this.family, { versionId, parts })
    await matchSbom(this.db, { workspaceId: this.workspaceId, sbomId, now: testNow })
    return sbomId
  }

  async verdicts(): Promise<(Verdict | null)[]> {
    return (await verdictsOf(this.db, this.family)).map(({ verdict }) => verdict)
  }

  async refresh(now: Date = later(2)): Promise<void> {
    await refreshFamilyFindings(this.db, { ...this.family, now })
  }

  async findingId(component: string, version: string | null = '1.0'): Promise<string> {
    const { rows } = await this.pool.query<{ id: string }>(
      `select f.id from finding f join component_identity i on i.id = f.identity_id
       left join product_version p on p.id = f.version_id
       where f.family_id = $1 and i.subject = $2 and p.name is not distinct from $3 and f.closed_at is null`,
      [this.family.familyId, component, version],
    )
    return rows[0]?.id ?? ''
  }

  async decide(findingIds: string[], word: Partial<Word> = {}, now: Date = later(1)): Promise<number> {
    return (await this.record(findingIds, word, now)).decided
  }

  /** Like `decide`; also returns the batch. */
  async record(findingIds: string[], word: Partial<Word> = {}, now: Date = later(1)) {
    return decideFindings(this.db, this.act(now), {
      findingIds,
      verdict: 'not_affected',
      comment: 'We never call it.',
      everyVersion: false,
      ...word,
    })
  }

  /** Olga acts. */
  act(now: Date) {
    const actor = { kind: 'person', id: this.personId, name: 'Olga' } as const
    return { workspaceId: this.workspaceId, actor, now }
  }
}

async function addRecords(db: Db): Promise<void> {
  const ranges = [['0', null]] as const
  const inNpm = { ecosystem: 'npm', scheme: 'semver', ranges } as const
  const inDebian = { ecosystem: 'Debian', release: '12', scheme: 'dpkg', ranges } as const
  await addRecord(db, {
    id: 'GHSA-aaaa-bbbb-cccc',
    group: 'CVE-2024-1',
    aliases: ['CVE-2024-1'],
    affected: [{ ...inNpm, name: 'left' }],
  })
  await addRecord(db, { id: 'GHSA-dddd-eeee-ffff', affected: [{ ...inNpm, name: 'right' }] })
  await addRecord(db, {
    id: 'DEBIAN-CVE-2024-3',
    upstream: ['CVE-2024-3'],
    affected: [{ ...inDebian, name: 'deep' }],
  })
  await addRecord(db, {
    id: 'DSA-1-1',
    upstream: ['CVE-2024-4', 'CVE-2024-5'],
    affected: [{ ...inDebian, name: 'deep' }],
  })
}
