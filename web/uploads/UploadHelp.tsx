import { SegmentedControl, Stack, Text } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { FamilyDetail } from '#contract/products/shapes.ts'
import { publicPaths } from '#contract/public/public-paths.ts'
import { tokensQuery } from '../settings/tokens/queries.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { CommandBlock } from '../kit/text/CommandBlock.tsx'
import { ExternalLink } from '../kit/text/ExternalLink.tsx'
import { CreateToken } from './CreateToken.tsx'
import { doneSteps } from './done-steps.ts'
import { snippetKinds, snippetNames, uploadSnippet, type SnippetKind } from './upload-snippets.ts'
import styles from './UploadHelp.module.css'

/**
 * How a pipeline sends SBOMs of a family: a token, then lines to paste, curl first because everybody has it. Completed steps are ticked.
 */
export function UploadHelp({ family }: { family: FamilyDetail }): ReactNode {
  const { slug, baseUrl } = useWorkspace()
  const [kind, setKind] = useState<SnippetKind>('curl')
  const done = doneSteps(family, useQuery(tokensQuery(slug)).data ?? [])
  return (
    <ol className={styles['steps']}>
      <Step isDone={done.token}>
        <Stack gap="xs" align="flex-start">
          <Text>
            Create an upload token for this family and store it as the secret <code>SBOM_MONITOR_TOKEN</code>{' '}
            of the pipeline.
          </Text>
          <CreateToken familyId={family.id} />
        </Stack>
      </Step>
      <Step isDone={done.sent}>
        <Text>
          Have the build write <code>bom.json</code>: CycloneDX JSON 1.4–1.7 or SPDX JSON 2.2–2.3, plain or
          gzipped, at most 4 MB as sent.
        </Text>
      </Step>
      <Step isDone={done.sent}>
        <Stack gap="xs">
          <Text>Send it.</Text>
          <SegmentedControl
            aria-label="Where the lines run"
            data={snippetKinds.map((value) => ({ value, label: snippetNames[value] }))}
            value={kind}
            onChange={setKind}
            style={{ alignSelf: 'flex-start' }}
          />
          <CommandBlock
            text={uploadSnippet(kind, baseUrl)}
            label={kind === 'client' ? 'Lines for the client' : `Lines for ${snippetNames[kind]}`}
          />
          {kind === 'client' ? <ClientNote baseUrl={baseUrl} /> : <HeaderNote />}
        </Stack>
      </Step>
    </ol>
  )
}

function Step({ isDone, children }: { isDone: boolean; children: ReactNode }): ReactNode {
  return (
    <li data-done={isDone}>
      {isDone ? (
        <span className={styles['tick']} role="img" aria-label="Done">
          <IconCheck size={15} aria-hidden />
        </span>
      ) : null}
      {children}
    </li>
  )
}

function ClientNote({ baseUrl }: { baseUrl: string }): ReactNode {
  return (
    <Text c="dimmed" size="xs">
      The client <code>sbom-monitor</code> compresses, retries, waits until the SBOM is matched, and exits
      with 1 when an exploited vulnerability was found. This also needs a results token, as{' '}
      <code>SBOM_MONITOR_RESULTS_TOKEN</code>. <code>sbom-monitor vex vex.json</code> sends a VEX document.{' '}
      <ExternalLink href={`${baseUrl}/docs/pipelines`}>Sending from a pipeline</ExternalLink> explains how
      pipelines get the client.
    </Text>
  )
}

function HeaderNote(): ReactNode {
  return (
    <Text c="dimmed" size="xs">
      The product version inside the SBOM is used; the header <code>X-Service-Version</code> overrides it.
      Sending the same file again changes nothing. VEX documents go to <code>{publicPaths.vex}</code> the same
      way.
    </Text>
  )
}
