import { Button, Group, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheckFilled, IconRefresh } from '@tabler/icons-react'
import { useState, type ReactNode } from 'react'
import type { DisclosureSettings, SecurityTxtCheck } from '#contract/disclosure/shapes.ts'
import { checkSecurityTxt } from '#contract/disclosure/operations.ts'
import { call } from '../../kit/api/call.ts'
import { useSend } from '../../kit/api/use-send.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { Chip } from '../../kit/text/Chip.tsx'
import { Card } from '../../kit/page/Card.tsx'
import { Problem } from '../../kit/page/Problem.tsx'
import { CommandBlock } from '../../kit/text/CommandBlock.tsx'
import { ExternalLink } from '../../kit/text/ExternalLink.tsx'
import { Foreign } from '../../kit/text/Foreign.tsx'

/** The file as served here, how to publish it at the company's own address, and whether it is there. */
export function SecurityTxtCard({ settings }: { settings: DisclosureSettings }): ReactNode {
  const { urls, canonicalUrl, canonicalWarning } = settings
  return (
    <Card title="security.txt" aside={<ExternalLink href={urls.securityTxt}>Open</ExternalLink>}>
      <Stack gap="md">
        <Text style={{ overflowWrap: 'anywhere' }}>
          The file here speaks for this service’s address only. Put its text on your own site as
          /.well-known/security.txt, or better redirect that address to <Foreign>{urls.securityTxt}</Foreign>:
          then Expires renews itself.
        </Text>
        <CommandBlock label="Text of the file" text={settings.securityTxt} />
        {canonicalWarning === null ? null : (
          <Chip tone="warn" Icon={IconAlertTriangle}>
            <Foreign>{canonicalWarning}</Foreign>
          </Chip>
        )}
        {canonicalUrl === null ? (
          <Text c="dimmed">Save your Canonical URL above, and the file there can be checked.</Text>
        ) : (
          <Check url={canonicalUrl} />
        )}
      </Stack>
    </Card>
  )
}

function Check({ url }: { url: string }): ReactNode {
  const { slug } = useWorkspace()
  const [found, setFound] = useState<SecurityTxtCheck>()
  const check = useSend({
    send: () => call(checkSecurityTxt, { params: { slug } }),
    onSuccess: setFound,
  })
  return (
    <Stack gap="sm" style={{ overflowWrap: 'anywhere' }}>
      <Group gap="sm">
        <Button
          variant="default"
          leftSection={<IconRefresh size={16} />}
          loading={check.isPending}
          onClick={() => {
            check.mutate()
          }}
        >
          Check your file
        </Button>
        <Foreign>{url}</Foreign>
      </Group>
      <Problem error={check.error} />
      {found === undefined || check.isPending ? null : <Result found={found} />}
    </Stack>
  )
}

function Result({ found: { isFine, problems } }: { found: SecurityTxtCheck }): ReactNode {
  if (isFine) {
    return (
      <div role="status">
        <Chip tone="good" Icon={IconCircleCheckFilled}>
          The file is there and says what it should.
        </Chip>
      </div>
    )
  }
  return (
    <div role="status">
      <Chip tone="bad" Icon={IconAlertTriangle}>
        The file needs your attention
      </Chip>
      <Text mt="xs">
        <Foreign>{problems.join(' ')}</Foreign>
      </Text>
    </div>
  )
}
