import { Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { CommandBlock } from '../kit/text/CommandBlock.tsx'
import { ExternalLink } from '../kit/text/ExternalLink.tsx'

const command = 'npm run -s cli -- vulnerabilities import <all.zip | folder | NVD feed | KEV JSON>'

/** How an operator loads data where the service cannot fetch it. */
export function ImportHelp(): ReactNode {
  const { baseUrl } = useWorkspace()
  return (
    <Stack gap={6} maw="100%">
      <CommandBlock label="Load files on the server" text={command} />
      <Text>
        <ExternalLink href={`${baseUrl}/docs/offline`}>Without internet access</ExternalLink> lists the files
        and where they come from.
      </Text>
    </Stack>
  )
}
