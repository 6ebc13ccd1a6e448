import type { Tx } from '../../database/connection.ts'
import { listFiles, type ExportFile } from './export-file.ts'

/** Advisories with their versions, drafts and links; the published bytes: the version in force, and each earlier one under its number. */
export async function* advisoryFiles(tx: Tx, workspaceId: string): AsyncGenerator<ExportFile> {
  const advisories = await selectAdvisories(tx, workspaceId)
  yield* listFiles('advisories', advisoryPages(tx, workspaceId, advisories))
  for (const advisory of advisories) {
    for (const { id, ordinal } of await selectVersionIds(tx, workspaceId, advisory.id)) {
      const { bytes } = await tx
        .selectFrom('advisory_version')
        .select('bytes')
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      yield { name: fileOf(advisory, ordinal), bytes }
    }
  }
}

type Advisory = Awaited<ReturnType<typeof selectAdvisories>>[number]

function fileOf({ file_name: file, current_ordinal: current }: Advisory, ordinal: number): string {
  return ordinal === current ? `advisories/${file}` : `advisories/earlier/${ordinal}/${file}`
}

function selectAdvisories(tx: Tx, workspaceId: string) {
  return tx
    .selectFrom('advisory')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

function selectVersionIds(tx: Tx, workspaceId: string, advisoryId: string) {
  return tx
    .selectFrom('advisory_version')
    .select(['id', 'ordinal'])
    .where('workspace_id', '=', workspaceId)
    .where('advisory_id', '=', advisoryId)
    .orderBy('ordinal')
    .execute()
}

async function* advisoryPages(tx: Tx, workspaceId: string, advisories: readonly Advisory[]) {
  for (const advisory of advisories) {
    const key = { workspaceId, advisoryId: advisory.id }
    const versions = await selectVersions(tx, key)
    yield [
      {
        id: advisory.id,
        trackingId: advisory.tracking_id,
        createdAt: advisory.created_at,
        createdBy: advisory.created_by_name,
        firstReleasedAt: advisory.first_released_at,
        versions: versions.map(({ ordinal, ...version }) => ({
          ...version,
          file: fileOf(advisory, ordinal),
        })),
        draft: await selectDraft(tx, key),
        links: await selectLinks(tx, key),
      },
    ]
  }
}

type AdvisoryKey = { workspaceId: string; advisoryId: string }

function selectVersions(tx: Tx, { workspaceId, advisoryId }: AdvisoryKey) {
  return tx
    .selectFrom('advisory_version')
    .select(['ordinal', 'number', 'kind', 'tlp', 'title', 'summary', 'released_at as releasedAt'])
    .select(['published_by_name as publishedBy', 'sha256', 'sha512'])
    .where('workspace_id', '=', workspaceId)
    .where('advisory_id', '=', advisoryId)
    .orderBy('ordinal')
    .execute()
}

async function selectDraft(tx: Tx, { workspaceId, advisoryId }: AdvisoryKey) {
  const draft = await tx
    .selectFrom('advisory_draft')
    .select(['state', 'content', 'edited_at as editedAt', 'edited_by_name as editedBy'])
    .where('workspace_id', '=', workspaceId)
    .where('advisory_id', '=', advisoryId)
    .executeTakeFirst()
  return draft ?? null
}

/** Of incidents and reports, by their ids. */
function selectLinks(tx: Tx, { workspaceId, advisoryId }: AdvisoryKey) {
  return tx
    .selectFrom('advisory_link')
    .select(['kind', 'object_id as id', 'linked_at as linkedAt', 'linked_by_name as linkedBy'])
    .where('workspace_id', '=', workspaceId)
    .where('advisory_id', '=', advisoryId)
    .orderBy('linked_at')
    .orderBy('object_id')
    .execute()
}
