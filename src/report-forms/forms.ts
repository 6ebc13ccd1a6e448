import type { Regime, ReportStage } from '../contract/alerts/events.ts'
import type { DraftForm, DraftRequirement, DraftStageField } from '../contract/incidents/report-drafts.ts'
import type { IncidentKind } from '../contract/incidents/words.ts'
import type { CatalogueField, FieldCatalogue } from './catalogue.ts'
import { craCommonFields, craStages } from './cra-common-fields.ts'
import { craIncidentFields } from './cra-incident-fields.ts'
import { craVulnerabilityFields } from './cra-vulnerability-fields.ts'
import { doraFields, doraFieldsOfStages, doraStages } from './dora-fields.ts'
import { gdprFields, gdprStages } from './gdpr-fields.ts'
import { norwegianFields, norwegianStages } from './norwegian-fields.ts'

/** The report of a draft. Without a version, the newest form of the regime. */
export type DraftStage = { regime: Regime; kind: IncidentKind; stage: ReportStage; version?: string }

/** Every known form; of a regime's, the newest is last. */
const fieldCatalogues: readonly FieldCatalogue[] = [
  {
    regime: 'cra',
    version: '2026-09-25',
    validFrom: '2026-09-25',
    source: 'ENISA, glossary of the Single Reporting Platform, 25 September 2026',
    stages: craStages,
    fields: [...craCommonFields, ...craVulnerabilityFields, ...craIncidentFields],
  },
  {
    regime: 'digitalsikkerhetsloven',
    version: '2025-10-01',
    validFrom: '2025-10-01',
    source: 'Regulation 2025-06-20-1131 § 17',
    stages: norwegianStages,
    fields: norwegianFields,
  },
  {
    regime: 'gdpr',
    version: '2018-05-25',
    validFrom: '2018-05-25',
    source: 'Regulation (EU) 2016/679, Art. 33(3)',
    stages: gdprStages,
    fields: gdprFields,
  },
  {
    regime: 'dora',
    version: '2025-03-12',
    validFrom: '2025-03-12',
    source: 'Delegated Regulation (EU) 2025/301, Art. 2 to 4; Implementing Regulation (EU) 2025/302, Annex I',
    stages: doraStages,
    fields: doraFieldsOfStages,
  },
  {
    regime: 'dora',
    version: '2026-11-25',
    validFrom: '2026-11-25',
    source: 'Delegated Regulation (EU) 2025/301, Art. 1 to 4; Implementing Regulation (EU) 2025/302, Annex I',
    stages: doraStages,
    fields: doraFields,
  },
]

/** The form of a report, its fields in the order of the authority. No fields: the regime has no such report. */
export function formOf({ regime, kind, stage, version }: DraftStage): DraftForm {
  const catalogue = catalogueOf(regime, version)
  const earlier = catalogue.stages.slice(0, Math.max(catalogue.stages.indexOf(stage), 0))
  const fields = catalogue.fields.flatMap((field) => {
    const requirement = field.at[stage]
    if (requirement === undefined || !field.kinds.includes(kind)) return []
    return [stageField(field, requirement, earlier)]
  })
  const { validFrom, source } = catalogue
  return { regime, stage, version: catalogue.version, validFrom, source, fields }
}

/** The fields of a report, in the order of the authority's form. */
export function fieldsOf(draft: DraftStage): readonly DraftStageField[] {
  return formOf(draft).fields
}

/** The stages of a regime's newest form before one of them, the first one first. */
export function stagesBefore(regime: Regime, stage: ReportStage): readonly ReportStage[] {
  const { stages } = catalogueOf(regime, undefined)
  return stages.slice(0, Math.max(stages.indexOf(stage), 0))
}

function catalogueOf(regime: Regime, version: string | undefined): FieldCatalogue {
  const catalogue = fieldCatalogues.findLast(
    (each) => each.regime === regime && (version === undefined || each.version === version),
  )
  if (catalogue === undefined) throw new Error(`There is no form ${version ?? ''} of ${regime}.`)
  return catalogue
}

function stageField(
  { id, number, label, help, input, at }: CatalogueField,
  requirement: DraftRequirement,
  earlier: readonly ReportStage[],
): DraftStageField {
  const wasRequired = earlier.some((stage) => at[stage] === 'required')
  const isRequired = requirement === 'required' || (requirement === 'copied' && wasRequired)
  return { id, number, label, help, input, requirement, isRequired }
}
