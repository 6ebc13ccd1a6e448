type Link = { email: string; sendsMail: boolean; what: 'link' | 'invitation' }

/** Where a requested link was sent. Without a mail server the operator has it (docs/operating.md, "Mail"). */
export function whereLinkWent({ email, sendsMail, what }: Link): string {
  if (sendsMail) return `${what === 'link' ? 'A link' : 'An invitation'} is on its way to ${email}.`
  return `No mail was sent to ${email}: this service has no mail server. Its operator has the link. Ask for it, and ${
    what === 'link' ? 'open it yourself' : 'hand it over yourself'
  }.`
}

/** Shown beside an address field before sending. */
export function whereLinkGoes(sendsMail: boolean): string {
  return sendsMail
    ? 'A link goes there.'
    : 'No mail is sent: this service has no mail server. Its operator has the link.'
}
