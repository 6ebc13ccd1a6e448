import { Text } from '@mantine/core'
import { IconShieldLock } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { visibleText } from '../../../src/contract/hidden-characters.ts'
import { secondFactorsQuery } from '../../api/people/account-queries.ts'
import { Notice } from '../../ui/page/Notice.tsx'

/** Why a workspace led here instead of opening. */
export function RequiredFactor(): ReactNode {
  const factors = useQuery(secondFactorsQuery).data
  if (factors === undefined || factors.requiredBy.length === 0) return null
  if (factors.app !== null || factors.passkeys.length > 0) return null
  const companies = factors.requiredBy.map(visibleText).join(', ')
  return (
    <Notice Icon={IconShieldLock}>
      <Text>
        {companies} asks its members for a second factor. Set up an authenticator app or a passkey below; the
        workspace opens then.
      </Text>
    </Notice>
  )
}
