import { IconMailExclamation } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { pages } from '../areas.ts'
import { Notice } from '../kit/page/Notice.tsx'
import { Foreign } from '../kit/text/Foreign.tsx'
import { TextLink } from '../kit/text/links.tsx'

/** Public contacts that do not work; shown to owners and admins, who can correct them. */
export function ContactNotices(): ReactNode {
  const { slug, unusableContacts } = useWorkspace()
  return unusableContacts?.map(({ setting, address }) => (
    <Notice key={setting} Icon={IconMailExclamation}>
      <span>
        The {setting === 'company' ? 'security contact' : 'public contact'} <Foreign>{address}</Foreign> is
        not an e-mail address: what is written to it is lost.
      </span>
      <TextLink
        {...(setting === 'company' ? pages.company(slug) : pages.disclosure(slug))}
        underline="always"
      >
        Correct it
      </TextLink>
    </Notice>
  ))
}
