import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { addDomain, removeDomain, verifyDomain } from '#contract/people/operations/sign-in.ts'
import type { DomainRow } from '#contract/people/sign-in.ts'
import { visibleText } from '#contract/hidden-characters.ts'
import { call } from '../../kit/api/call.ts'
import { useAct } from '../../kit/api/use-act.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { ConfirmedButton } from '../../kit/actions/ConfirmedButton.tsx'
import { Form } from '../../kit/form/Form.tsx'
import { useSendForm } from '../../kit/form/use-send-form.ts'
import { Card } from '../../kit/page/Card.tsx'
import { Problem } from '../../kit/page/Problem.tsx'
import { CopyText } from '../../kit/text/CopyText.tsx'
import { Foreign } from '../../kit/text/Foreign.tsx'
import { Age } from '../../kit/time/Time.tsx'

/** The domains of the company's verified addresses. */
export function DomainsCard({ domains }: { domains: DomainRow[] }): ReactNode {
  const { slug } = useWorkspace()
  const form = useSendForm({
    initialValues: { domain: '' },
    inputOf: (typed) => typed,
    send: useAct({
      slug,
      send: (body: { domain: string }) => call(addDomain, { params: { slug }, body }),
    }),
    clears: true,
  })
  return (
    <Card title="Domains of the company">
      <Stack gap="md">
        <Text fz={13}>
          An account of the issuer is linked to the member with its e-mail address only where the domain of
          the address is verified here.
        </Text>
        {domains.map((domain) => (
          <Domain key={domain.domain} domain={domain} />
        ))}
        <Form state={form.state} verb="Add the domain">
          <TextInput {...form.getInputProps('domain')} label="Domain" placeholder="acme.example" required />
        </Form>
      </Stack>
    </Card>
  )
}

function Domain({ domain: row }: { domain: DomainRow }): ReactNode {
  const { slug } = useWorkspace()
  const { domain, verifiedAt, record } = row
  const verify = useAct({
    slug,
    send: () => call(verifyDomain, { params: { slug }, body: { domain } }),
    done: () => visibleText(`${domain} is verified.`),
  })
  return (
    <Stack gap={6}>
      <Problem error={verify.error} />
      <Text fw={500}>
        <Foreign>{domain}</Foreign>
      </Text>
      {verifiedAt === null ? (
        <>
          <Text fz={13}>Add this TXT record to the domain, then verify it:</Text>
          <CopyText text={record.name} what="name of the record" />
          <CopyText text={record.value} what="text of the record" />
        </>
      ) : (
        <Text fz={13}>
          Verified <Age at={verifiedAt} />.
        </Text>
      )}
      <Group gap="xs">
        {verifiedAt === null ? (
          <Button
            size="xs"
            loading={verify.isPending}
            onClick={() => {
              verify.mutate()
            }}
          >
            Verify
          </Button>
        ) : null}
        <ConfirmedButton
          size="xs"
          aria-label={visibleText(`Remove ${domain}`)}
          title={`Remove ${domain}?`}
          consequence="Accounts of the issuer that have signed in stay linked. New ones with addresses of this domain are no longer linked."
          verb="Remove the domain"
          act={{
            send: () => call(removeDomain, { params: { slug }, body: { domain } }),
            done: () => visibleText(`${domain} is removed.`),
          }}
        >
          Remove
        </ConfirmedButton>
      </Group>
    </Stack>
  )
}
