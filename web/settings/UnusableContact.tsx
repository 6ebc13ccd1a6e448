import { IconMailExclamation } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { isEmailAddress } from '#contract/people/email-address.ts'
import { Foreign } from '../kit/text/Foreign.tsx'
import { Notice } from '../kit/page/Notice.tsx'

/** An unusable address, stored before addresses were checked by one rule. */
export function UnusableContact({
  address,
  isCompanys = false,
}: {
  address: string
  /** It comes from the company's settings. */
  isCompanys?: boolean
}): ReactNode {
  if (isEmailAddress(address)) return null
  return (
    <Notice Icon={IconMailExclamation}>
      The security contact <Foreign>{address}</Foreign> is not an e-mail address. The disclosure page,
      security.txt and advisories name it, and mail to it is lost.{' '}
      {isCompanys
        ? 'Correct it in Settings → Company, or enter a public contact here.'
        : 'Enter the address that reports go to.'}
    </Notice>
  )
}
