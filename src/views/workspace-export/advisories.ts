import { selectDraft, selectLinks, selectVersions } from '../../advisories/reads/stored-advisory.ts'
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
    const draft = await selectDraft(tx, key)
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
        draft: draft === undefined ? null : exportedDraft(draft),
        // of incidents and reports, by their ids
        links: (await selectLinks(tx, key)).map(
          ({ reference: _reference, number: _number, ...link }) => link,
        ),
      },
    ]
  }
}

type Draft = NonNullable<Awaited<ReturnType<typeof selectDraft>>>

function exportedDraft({ state, content, editedAt, editedBy }: Draft) {
  return { state, content, editedAt, editedBy }
}
