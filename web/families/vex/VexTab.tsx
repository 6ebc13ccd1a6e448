import { Stack } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { publicPaths } from '#contract/public/public-paths.ts'
import type { FamilyDetail } from '#contract/products/shapes.ts'
import { vexDocumentStates } from '#contract/vex/documents.ts'
import { listedRows } from '../../kit/api/listed.ts'
import { familyVexQuery } from '../../vex/queries.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { present } from '../../kit/address/search.ts'
import { pages } from '../../areas.ts'
import { Empty } from '../../kit/page/Empty.tsx'
import { FilterChips } from '../../kit/table/FilterChips.tsx'
import { TextLink } from '../../kit/text/links.tsx'
import { versionNames } from '../version-names.ts'
import { SendFiles } from '../../uploads/SendFiles.tsx'
import { ExportVex } from './ExportVex.tsx'
import { vexColumns } from './vex-columns.tsx'
import { capital } from '../../vex/vex-words.ts'
import { List } from '../../kit/table/List.tsx'

/** The VEX documents of a family, newest first, and a place to upload one. */
export function VexTab({ family }: { family: FamilyDetail }): ReactNode {
  const { slug } = useWorkspace()
  const { state } = useSearch({ from: '/signed-in/$slug/families/$family' })
  const navigate = useNavigate()
  return (
    <Stack gap="md">
      {family.archivedAt === null ? (
        <SendFiles familyId={family.id} kind="vex" versions={versionNames(family)} />
      ) : null}
      <div>
        <List
          list={listedRows(useInfiniteQuery(familyVexQuery(slug, family.id, state)))}
          note={{ noun: 'document' }}
          filters={
            <>
              <FilterChips
                label="State"
                choices={vexDocumentStates.map((choice) => ({
                  id: choice,
                  label: capital(choice),
                  pressed: state === choice,
                  onToggle: () => {
                    const next = state === choice ? undefined : choice
                    void navigate({
                      ...pages.family(slug, family.id, present({ tab: 'vex', state: next })),
                      replace: true,
                      resetScroll: false,
                    })
                  },
                }))}
              />
              <ExportVex family={family} />
            </>
          }
          more="Show older documents"
          label="VEX documents"
          columns={vexColumns}
          rowId={({ id }) => id}
          rowLink={({ id }) => pages.vex(slug, id)}
          empty={<NoDocuments family={family} isFiltered={state !== undefined} />}
        />
      </div>
    </Stack>
  )
}

function NoDocuments({ family, isFiltered }: { family: FamilyDetail; isFiltered: boolean }): ReactNode {
  const { slug } = useWorkspace()
  return isFiltered ? (
    <Empty
      why="There are no documents in this state."
      next={<TextLink {...pages.family(slug, family.id, { tab: 'vex' })}>Show all documents</TextLink>}
    />
  ) : (
    <Empty
      why="There are no VEX documents yet. A VEX document says which findings do not affect the product, are fixed or are under investigation."
      next={
        <>
          Drop one above, send it from a pipeline to <code>{publicPaths.vex}</code>, or record a verdict on a
          finding.
        </>
      }
    />
  )
}
