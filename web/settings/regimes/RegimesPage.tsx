import { visibleText } from '#contract/hidden-characters.ts'
import { Checkbox, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { regimes, type Regime } from '#contract/alerts/events.ts'
import {
  authorityOf,
  type Authority,
  type Preparation,
  type RegimeSettings,
} from '#contract/incidents/regimes.ts'
import { changeRegimeSettings, getRegimeSettings } from '#contract/incidents/operations.ts'
import type { BodyOf } from '#contract/operation.ts'
import { refusal } from '../../workspaces/access.ts'
import { call } from '../../kit/api/call.ts'
import { regimesQuery } from '../queries.ts'
import { useAct } from '../../kit/api/use-act.ts'
import { useLatest } from '../../kit/api/use-latest.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { AllowedForm } from '../../kit/form/AllowedForm.tsx'
import { useSendForm, type SendForm } from '../../kit/form/use-send-form.ts'
import { regimeNames, regimeTitles } from '../../incidents/words.ts'
import { Card } from '../../kit/page/Card.tsx'
import { DoraFactsCard, typedDoraFacts, type TypedDoraFacts } from './DoraFactsCard.tsx'
import { Loaded } from '../../kit/page/Loaded.tsx'
import { SettingsPage } from '../SettingsPage.tsx'

const questions: Record<Regime, string> = {
  cra: 'We make products with digital elements for the European market.',
  digitalsikkerhetsloven: 'We provide services that the Norwegian Digital Security Act covers.',
  gdpr: 'Incidents may concern personal data.',
  dora: 'We are a financial entity.',
}

const hints: Record<Regime, string> = {
  cra: 'Its clocks run from the opening of every incident.',
  digitalsikkerhetsloven: 'It is switched on for an incident by a member.',
  gdpr: 'It is switched on for an incident by a member.',
  dora: 'Its clocks begin when an incident is classified as major.',
}

const checks: { id: Preparation; label: string; description: string }[] = [
  {
    id: 'account',
    label: 'Account on the reporting platform',
    description: 'An EU Login with a second factor that opens ENISA’s Single Reporting Platform.',
  },
  {
    id: 'representative',
    label: 'Assigned representative',
    description: 'Somebody who may file for the company is registered there.',
  },
  {
    id: 'backups',
    label: 'Backups',
    description: 'Whoever runs the service makes them and has restored one.',
  },
]

/** Which laws require reports, and who receives them. */
export default function RegimesPage(): ReactNode {
  const { slug } = useWorkspace()
  const settings = useQuery(regimesQuery(slug))
  return (
    <SettingsPage
      title="Regimes and authorities"
      about="Which laws ask for reports, and whom they go to. Changes apply to incidents opened from now on; authorities change at once."
    >
      <Loaded query={settings} tellsLater>
        {(stored) => <RegimesForm settings={stored} />}
      </Loaded>
    </SettingsPage>
  )
}

type Typed = Record<Regime, boolean> & {
  mainEstablishment: string
  /** Empty strings: not stored. */
  authorities: Record<Regime, { name: string; portal: string; phone: string }>
  /** Empty strings: not confirmed. */
  confirmed: Record<Preparation, string>
  doraFacts: TypedDoraFacts
}
type Body = BodyOf<typeof changeRegimeSettings>

function RegimesForm({ settings }: { settings: RegimeSettings & { timeZone: string } }): ReactNode {
  const workspace = useWorkspace()
  const { slug } = workspace
  const refused = refusal(workspace, changeRegimeSettings.permission)
  const form = useSendForm<Typed, Body>({
    initialValues: typedOf(settings),
    latest: useLatest(getRegimeSettings, { params: { slug } }, typedOf),
    inputOf: bodyOf,
    send: useAct({
      slug,
      send: (body: Body) => call(changeRegimeSettings, { params: { slug }, body }),
      done: () => 'The settings are saved.',
    }),
  })
  return (
    <AllowedForm state={form.state} verb="Save" refused={refused}>
      <Card title="Company">
        <Stack gap="sm">
          <TextInput
            {...form.getInputProps('mainEstablishment')}
            label="Country of the main establishment"
            description="Two letters, such as NO. Where decisions on the security of products are mostly taken; it names the coordinating CSIRT."
            maxLength={2}
            maw={420}
          />
          <Text fz={13}>
            Days and months are counted in the time zone of the workspace,{' '}
            <strong>{settings.timeZone}</strong>.
          </Text>
        </Stack>
      </Card>
      <Card title="Ready to report">
        <Stack gap="sm">
          <Text fz={13}>When you last checked it. The dashboard asks again after a year.</Text>
          {checks.map(({ id, label, description }) => (
            <TextInput
              key={id}
              {...form.getInputProps(`confirmed.${id}`)}
              type="date"
              label={label}
              description={description}
              maw={420}
            />
          ))}
        </Stack>
      </Card>
      {regimes.map((regime) => (
        <RegimeCard key={regime} regime={regime} getInputProps={form.getInputProps} />
      ))}
      {form.values.dora ? <DoraFactsCard getInputProps={form.getInputProps} /> : null}
    </AllowedForm>
  )
}

type CardProps = { regime: Regime; getInputProps: SendForm<Typed>['getInputProps'] }

function RegimeCard({ regime, getInputProps }: CardProps): ReactNode {
  const standard = authorityOf(regime, {})
  return (
    <Card title={regimeNames[regime]} aside={<span className="dimmed">{regimeTitles[regime]}</span>}>
      <Stack gap="sm">
        <Checkbox
          {...getInputProps(regime, { type: 'checkbox' })}
          label={questions[regime]}
          description={hints[regime]}
        />
        <TextInput
          {...getInputProps(`authorities.${regime}.name`)}
          label="Authority"
          placeholder={visibleText(standard?.name ?? '')}
          {...(standard === null
            ? {}
            : {
                description: `When nothing is entered: ${visibleText(standard.name)}, to which all reports under the CRA go.`,
              })}
          maxLength={200}
        />
        <TextInput
          {...getInputProps(`authorities.${regime}.portal`)}
          label="Portal"
          placeholder={visibleText(standard?.portal ?? '')}
          description="Its address, shown on the page of every incident."
          maxLength={2_000}
        />
        <TextInput {...getInputProps(`authorities.${regime}.phone`)} label="Phone" maxLength={50} />
      </Stack>
    </Card>
  )
}

function typedOf(settings: RegimeSettings): Typed {
  const { cra, digitalsikkerhetsloven, gdpr, dora } = settings
  const { mainEstablishment, authorities, confirmed, doraFacts } = settings
  const authorityOf = (regime: Regime) => ({
    name: authorities[regime]?.name ?? '',
    portal: authorities[regime]?.portal ?? '',
    phone: authorities[regime]?.phone ?? '',
  })
  return {
    cra,
    digitalsikkerhetsloven,
    gdpr,
    dora,
    mainEstablishment: mainEstablishment ?? '',
    authorities: {
      cra: authorityOf('cra'),
      digitalsikkerhetsloven: authorityOf('digitalsikkerhetsloven'),
      gdpr: authorityOf('gdpr'),
      dora: authorityOf('dora'),
    },
    confirmed: {
      account: confirmed.account ?? '',
      representative: confirmed.representative ?? '',
      backups: confirmed.backups ?? '',
    },
    doraFacts: typedDoraFacts(doraFacts),
  }
}

function bodyOf({ mainEstablishment, authorities, confirmed, doraFacts, ...switches }: Typed): Body {
  const authorityOf = ({ name, portal, phone }: Typed['authorities'][Regime]): Authority | null => {
    const filled = { name: name.trim(), portal: emptyAsNull(portal), phone: emptyAsNull(phone) }
    return filled.name === '' && filled.portal === null && filled.phone === null ? null : filled
  }
  return {
    ...switches,
    mainEstablishment: emptyAsNull(mainEstablishment),
    authorities: {
      cra: authorityOf(authorities.cra),
      digitalsikkerhetsloven: authorityOf(authorities.digitalsikkerhetsloven),
      gdpr: authorityOf(authorities.gdpr),
      dora: authorityOf(authorities.dora),
    },
    confirmed: {
      account: emptyAsNull(confirmed.account),
      representative: emptyAsNull(confirmed.representative),
      backups: emptyAsNull(confirmed.backups),
    },
    doraFacts: Object.fromEntries(Object.entries(doraFacts).map(([id, text]) => [id, emptyAsNull(text)])),
  }
}

function emptyAsNull(text: string): string | null {
  return text.trim() === '' ? null : text.trim()
}
