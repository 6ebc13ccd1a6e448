import { SegmentedControl, Stack } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import type { FamilyDetail } from '#contract/products/shapes.ts'
import { Section } from '../kit/page/Section.tsx'
import { SendFiles } from './SendFiles.tsx'
import type { SentKind } from './use-sending.ts'
import { UploadHelp } from './UploadHelp.tsx'
import { versionNames } from '../families/version-names.ts'

/** How to send files to a family: from this computer, or from a pipeline with every build. */
export function UploadTab({ family }: { family: FamilyDetail }): ReactNode {
  const [kind, setKind] = useState<SentKind>('sboms')
  return (
    <Stack gap={32} maw={900}>
      <Section
        title="From this computer"
        aside={
          <SegmentedControl
            aria-label="What to send"
            data={[
              { value: 'sboms', label: 'SBOM' },
              { value: 'vex', label: 'VEX' },
            ]}
            value={kind}
            onChange={setKind}
          />
        }
      >
        <SendFiles key={kind} familyId={family.id} kind={kind} versions={versionNames(family)} />
      </Section>
      <Section title="From a pipeline">
        <UploadHelp family={family} />
      </Section>
    </Stack>
  )
}
