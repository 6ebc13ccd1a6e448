import { visibleText } from '../../../../src/contract/hidden-characters.ts'
import { NativeSelect, Stack, Tabs, Text } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { FamilyName } from '../../../../src/contract/app.ts'
import { familyNamesQuery } from '../../../api/queries.ts'
import { useWorkspace } from '../../../frame/use-workspace.ts'
import { pages } from '../../../paths.ts'
import { CommandBlock } from '../../../ui/text/CommandBlock.tsx'
import { Empty } from '../../../ui/page/Empty.tsx'
import { ButtonLink, TextLink } from '../../../ui/text/links.tsx'
import { PageHeader } from '../../../ui/page/PageHeader.tsx'
import { PageSkeleton } from '../../../ui/page/PageSkeleton.tsx'
import { Problem } from '../../../ui/page/Problem.tsx'
import { Section } from '../../../ui/page/Section.tsx'
import { SettingsNav } from '../SettingsNav.tsx'
import { ConnectorReportSection } from './ConnectorReportSection.tsx'
import { connectorSettings, connectorText, exportLines } from './connector-text.ts'

/** How Dependency-Track sends the BOMs of a family here, and what the connector refused. */
export default function ConnectorPage(): ReactNode {
  const { slug } = useWorkspace()
  const families = useQuery(familyNamesQuery(slug))
  return (
    <>
      <PageHeader
        title="Dependency-Track"
        crumbs={[{ name: 'Settings' }]}
        about="The connector takes the BOMs that OWASP Dependency-Track sends when it has processed them."
      />
      <SettingsNav />
      {families.data === undefined ? (
        families.error === null ? (
          <PageSkeleton />
        ) : (
          <Problem
            error={families.error}
            onRetry={() => {
              void families.refetch()
            }}
          />
        )
      ) : (
        <ForFamily families={families.data} />
      )}
    </>
  )
}

function ForFamily({ families }: { families: FamilyName[] }): ReactNode {
  const { slug } = useWorkspace()
  const { family: asked } = useSearch({ from: '/signed-in/$slug/settings/connector' })
  const navigate = useNavigate()
  const family = families.find(({ id }) => id === asked) ?? families[0]
  if (family === undefined) {
    return (
      <Empty
        why="Each product family has its own rule in Dependency-Track, and there is no family yet."
        next={<TextLink {...pages.families(slug, { dialog: 'create' })}>Create a family</TextLink>}
      />
    )
  }
  return (
    <Stack gap={32}>
      <NativeSelect
        label="Product family"
        description="One rule for each family, with a token of its own."
        value={family.id}
        data={families.map(({ id, name }) => ({ value: id, label: visibleText(name) }))}
        onChange={(event) => {
          void navigate({ ...pages.connector(slug, { family: event.currentTarget.value }), replace: true })
        }}
        maw={360}
      />
      <Section
        title="Set it up"
        aside={
          <ButtonLink
            {...pages.tokens(slug, { dialog: 'create', family: family.id })}
            variant="default"
            size="xs"
            leftSection={<IconKey size={14} />}
          >
            Create token
          </ButtonLink>
        }
      >
        <SetUp familyName={family.name} />
      </Section>
      <ConnectorReportSection familyId={family.id} familyName={family.name} />
    </Stack>
  )
}

function SetUp({ familyName }: { familyName: string }): ReactNode {
  const { baseUrl } = useWorkspace()
  const settings = connectorSettings(baseUrl, familyName)
  return (
    <Tabs defaultValue="4" keepMounted={false} maw={1000}>
      <Tabs.List mb="md">
        <Tabs.Tab value="4">Version 4.11 and later</Tabs.Tab>
        <Tabs.Tab value="5">Version 5</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="4">
        <Stack gap="sm">
          <Text>
            In Dependency-Track: Administration → Notifications → Alerts → Create alert. Version 4.11.5 or
            later is recommended; 4.10 and older cannot send a token.
          </Text>
          <CommandBlock label="Settings of the alert" text={connectorText(settings)} />
          <ul style={{ margin: 0, paddingInlineStart: 18 }}>
            {settings
              .filter(({ note }) => note !== undefined)
              .map(({ name, note }) => (
                <li key={name}>
                  {name}: <span className="dimmed">{note}</span>
                </li>
              ))}
          </ul>
          <Text c="dimmed">
            A BOM may have about 3 MB. Sixty requests an hour are taken for each token, uploads and tests
            together.
          </Text>
        </Stack>
      </Tabs.Panel>
      <Tabs.Panel value="5">
        <Stack gap="sm">
          <Text>
            Version 5 leaves the BOM out of its notifications, so a rule there is answered 422{' '}
            <code>bom_omitted</code>. Let a job fetch the BOM and send it instead, when it changes or once a
            day. The same works for older versions and for BOMs over 3 MB.
          </Text>
          <CommandBlock label="Lines for a job" text={exportLines(baseUrl)} />
          <Text c="dimmed">
            The key needs the permission VIEW_PORTFOLIO. Every export differs in its serial number, so each
            one is a new SBOM that takes the place of the active one of its version.
          </Text>
        </Stack>
      </Tabs.Panel>
    </Tabs>
  )
}
