import { Button, NavLink, Stack, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconBuilding, IconChevronRight } from '@tabler/icons-react'
import { useState, type ReactNode } from 'react'
import { visibleText } from '#contract/hidden-characters.ts'
import { findCompanies } from '#contract/people/operations/sign-in.ts'
import type { CompanyWorkspaces } from '#contract/people/sign-in.ts'
import { call } from '../kit/api/call.ts'
import { useCompanySignIn } from './company-sign-in.ts'
import { useSend } from '../kit/api/use-send.ts'
import { Form } from '../kit/form/Form.tsx'
import { FormModal } from '../kit/form/FormModal.tsx'
import { useSendForm } from '../kit/form/use-send-form.ts'
import { Problem } from '../kit/page/Problem.tsx'

/** Links to the sign-in page of the person's company; `next` opens afterwards. */
export function CompanyButton({ next }: { next: string | undefined }): ReactNode {
  const [isAsking, asking] = useDisclosure(false)
  return (
    <>
      <Button
        variant="default"
        fullWidth
        data-mantine-stop-propagation
        leftSection={<IconBuilding size={16} />}
        onClick={asking.open}
      >
        Sign in with your company
      </Button>
      <FormModal opened={isAsking} onClose={asking.close} title="Sign in with your company">
        <FindCompany next={next} onClose={asking.close} />
      </FormModal>
    </>
  )
}

type Props = { next: string | undefined; onClose: () => void }

function FindCompany({ next, onClose }: Props): ReactNode {
  const [found, setFound] = useState<CompanyWorkspaces['workspaces']>()
  const going = useCompanySignIn(next)
  const form = useSendForm({
    initialValues: { email: '' },
    inputOf: ({ email }) => ({ email: email.trim() }),
    send: useSend({
      send: (body: { email: string }) => call(findCompanies, { body }),
      onSuccess: ({ workspaces }) => {
        setFound(workspaces)
        if (workspaces.length === 1) going.mutate(workspaces[0]?.slug ?? '')
      },
    }),
  })
  return (
    <Stack gap="md">
      <Problem error={going.error} />
      {found?.length === 0 ? (
        <Text role="status">No company has set up its own sign-in for addresses of this domain.</Text>
      ) : null}
      <Form state={form.state} verb="Continue" onCancel={onClose}>
        <TextInput
          {...form.getInputProps('email')}
          type="email"
          label="E-mail at your company"
          autoComplete="email"
          required
          data-autofocus
        />
      </Form>
      {(found ?? []).length < 2
        ? null
        : found?.map(({ slug, companyName }) => (
            <NavLink
              key={slug}
              component="button"
              label={visibleText(companyName)}
              rightSection={<IconChevronRight size={16} aria-hidden />}
              onClick={() => {
                going.mutate(slug)
              }}
            />
          ))}
    </Stack>
  )
}
