import { Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { TokenRow } from '#contract/tokens/shapes.ts'
import { DetailDrawer } from '../../kit/page/DetailDrawer.tsx'
import { FactList } from '../../kit/page/Facts.tsx'
import { TokenStatusChip } from './TokenStatusChip.tsx'
import { RevokeToken } from './RevokeToken.tsx'
import { Created, Expires, kindWords, LastUsed, TokenFamily } from './token-facts.tsx'

type Props = { token: TokenRow | undefined; onClose: () => void }

export function TokenDrawer({ token, onClose }: Props): ReactNode {
  return (
    <DetailDrawer title={token?.name ?? 'Token'} opened={token !== undefined} onClose={onClose}>
      {token === undefined ? null : (
        <Stack gap="lg" key={token.id}>
          <Text>{kindWords[token.kind].can}</Text>
          <FactList
            facts={[
              { name: 'Status', value: <TokenStatusChip status={token.status} /> },
              { name: 'Product family', value: <TokenFamily token={token} /> },
              { name: 'Token', value: <code>{token.prefix}…</code> },
              { name: 'Created', value: <Created token={token} /> },
              { name: 'Last used', value: <LastUsed token={token} /> },
              { name: 'Expires', value: <Expires token={token} /> },
            ]}
          />
          {token.status === 'Active' ? (
            <Group>
              <RevokeToken token={token} />
            </Group>
          ) : null}
        </Stack>
      )}
    </DetailDrawer>
  )
}
