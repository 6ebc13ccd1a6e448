import {
  IconBan,
  IconCheck,
  IconCircleCheckFilled,
  IconCircleDot,
  IconCopy,
  IconFlame,
  IconInbox,
  IconMailCheck,
  IconQuestionMark,
  IconSearch,
  IconSpeakerphone,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { ExploitedAnswer, InboxTab, ReportState, SpamReason } from '#contract/disclosure/shapes.ts'
import { Chip, StatusChip, type Look } from '../kit/text/Chip.tsx'

export const stateLooks: Record<ReportState, Look> = {
  new: { word: 'new', tone: 'pending', Icon: IconInbox },
  acknowledged: { word: 'acknowledged', tone: 'plain', Icon: IconMailCheck },
  investigating: { word: 'investigating', tone: 'triage', Icon: IconSearch },
  confirmed: { word: 'confirmed', tone: 'warn', Icon: IconCircleDot },
  not_reproduced: { word: 'not reproduced', tone: 'neutral', Icon: IconQuestionMark },
  duplicate: { word: 'duplicate', tone: 'neutral', Icon: IconCopy },
  out_of_scope: { word: 'out of scope', tone: 'neutral', Icon: IconBan },
  spam: { word: 'spam', tone: 'neutral', Icon: IconBan },
  fixed: { word: 'fixed', tone: 'good', Icon: IconCheck },
  disclosed: { word: 'disclosed', tone: 'good', Icon: IconSpeakerphone },
  closed: { word: 'closed', tone: 'neutral', Icon: IconCircleCheckFilled },
}

export function ReportStateChip({ state }: { state: ReportState }): ReactNode {
  return <StatusChip {...stateLooks[state]} />
}

/** What the reporter says about exploitation; nothing where they do not know. */
export function ExploitedChip({ exploited }: { exploited: ExploitedAnswer }): ReactNode {
  if (exploited === 'unknown') return <span className="dimmed">not known</span>
  if (exploited === 'no') return <span className="dimmed">no</span>
  return (
    <Chip tone="bad" Icon={IconFlame} title="The reporter says that it is being exploited">
      exploited
    </Chip>
  )
}

export const tabNames: Record<InboxTab, string> = {
  new: 'New',
  open: 'Open',
  closed: 'Closed',
  spam: 'Spam',
}

/** The button label for each target state. */
export const moveVerbs: Record<ReportState, string> = {
  new: 'New',
  acknowledged: 'Acknowledge',
  investigating: 'Investigate',
  confirmed: 'Confirm',
  not_reproduced: 'Not reproduced',
  duplicate: 'Duplicate',
  out_of_scope: 'Out of scope',
  spam: 'Spam',
  fixed: 'Fixed',
  disclosed: 'Disclosed',
  closed: 'Close',
}

export const spamWords: Record<SpamReason, string> = {
  hidden_field: 'a field that nobody sees was filled in',
  too_fast: 'it was sent within 3 seconds',
  same_text: 'the same text arrived before',
  many_from_address: 'many reports came from one address',
  many_in_workspace: 'many reports came within an hour',
  many_links: 'it has very many links',
  foreign_markup: 'it has links in the notation of forum software',
  by_member: 'a member moved it here',
}
