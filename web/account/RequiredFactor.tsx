import { Text } from '@mantine/core'
import { IconShieldLock } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { secondFactorsQuery } from './queries.ts'
import { Notice } from '../kit/page/Notice.tsx'
import { Foreign } from '../kit/text/Foreign.tsx'

/** Why the person is here instead of in the workspace. */
export function RequiredFactor(): ReactNode {
  const factors = useQuery(secondFactorsQuery).data
  if (factors === undefined || factors.requiredBy.length === 0) return null
  if (factors.app !== null || factors.passkeys.length > 0) return null
  return (
    <Notice Icon={IconShieldLock}>
      <Text>
        <Foreign>{factors.requiredBy.join(', ')}</Foreign> asks its members for a second factor. Set up an
        authenticator app or a passkey below; the workspace opens then.
      </Text>
    </Notice>
  )
}
