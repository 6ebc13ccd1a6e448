import { Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Notice } from '../kit/page/Notice.tsx'

/** Something to fix before publishing. */
export function Warning({ title, children }: { title: string; children: ReactNode }): ReactNode {
  return (
    <Notice Icon={IconAlertTriangle}>
      <Stack gap="xs" flex={1} miw={0}>
        <Text fw={600}>{title}</Text>
        {children}
      </Stack>
    </Notice>
  )
}
