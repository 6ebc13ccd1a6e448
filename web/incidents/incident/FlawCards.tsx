import { Box, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { IncidentFlaw } from '#contract/incidents/flaw.ts'
import { ExploitedEntries } from '../../findings/evidence/ExploitedEntries.tsx'
import { Card, Cards } from '../../kit/page/Card.tsx'
import { CopyText } from '../../kit/text/CopyText.tsx'
import { Foreign, ForeignLines } from '../../kit/text/Foreign.tsx'

/** What happened to the product, for readers new to the vulnerability: what it is, what fixes it, and who exploits it. */
export function FlawCards({ flaw }: { flaw: IncidentFlaw | null }): ReactNode {
  if (flaw === null) return null
  return (
    <Box mt="md">
      <Cards>
        <Card title="What it is">
          <Stack gap="xs">
            <Text>
              {flaw.summary === '' ? (
                'No record describes it yet.'
              ) : (
                <ForeignLines>{flaw.summary}</ForeignLines>
              )}
            </Text>
            {flaw.vector === null ? null : (
              <Text fz={13}>
                {flaw.score === null ? null : `CVSS ${flaw.score.toFixed(1)} · `}
                <CopyText text={flaw.vector} what="the CVSS vector" />
              </Text>
            )}
            <Fixes fixes={flaw.fixes} />
          </Stack>
        </Card>
        <ExploitedEntries finding={{ exploited: flaw.listings, possiblyExploited: false }} />
      </Cards>
    </Box>
  )
}

function Fixes({ fixes }: Pick<IncidentFlaw, 'fixes'>): ReactNode {
  return fixes.map(({ component, version, fixedIn, malware }) => (
    <Text key={`${component} ${version ?? ''}`}>
      <Foreign>{version === null ? component : `${component} ${version}`}</Foreign>:{' '}
      {malware ? (
        <strong>remove it, it is malware</strong>
      ) : fixedIn === null ? (
        'no version that fixes it is known'
      ) : (
        <>
          fixed in{' '}
          <strong>
            <Foreign>{fixedIn}</Foreign>
          </strong>
        </>
      )}
    </Text>
  ))
}
