import type { PublicLanguage } from '../contract/disclosure/shapes.ts'

type Said = { company: string; contact: string; cause: 'received' | 'news' }
type MailWords = { subject: string; said: string; link: string; noReply: string }

/** What mail to a reporter says: fixed words, nothing of the report. */
export function reporterMailWords(language: PublicLanguage, said: Said): MailWords {
  return byLanguage[language](said)
}

const byLanguage: Record<PublicLanguage, (said: Said) => MailWords> = {
  en: ({ company, contact, cause }) => ({
    subject:
      cause === 'received'
        ? `${company} received your report`
        : `Your report to ${company}: something is new`,
    said:
      cause === 'received'
        ? `${company} has received your vulnerability report. You can follow it and write to the company on its status page.`
        : `There is something new on the status page of your vulnerability report to ${company}.`,
    link: 'Open the status page',
    noReply: `Replies to this message do not become part of the report. Write on the status page, or to ${contact}.`,
  }),
  nb: ({ company, contact, cause }) => ({
    subject:
      cause === 'received'
        ? `${company} har mottatt rapporten din`
        : `Rapporten din til ${company}: det er noe nytt`,
    said:
      cause === 'received'
        ? `${company} har mottatt sårbarhetsrapporten din. Du kan følge den og skrive til selskapet på statussiden.`
        : `Det er noe nytt på statussiden til sårbarhetsrapporten din til ${company}.`,
    link: 'Åpne statussiden',
    noReply: `Svar på denne meldingen blir ikke en del av rapporten. Skriv på statussiden, eller til ${contact}.`,
  }),
  de: ({ company, contact, cause }) => ({
    subject:
      cause === 'received'
        ? `${company} hat Ihre Meldung erhalten`
        : `Ihre Meldung an ${company}: es gibt Neues`,
    said:
      cause === 'received'
        ? `${company} hat Ihre Schwachstellenmeldung erhalten. Auf der Statusseite können Sie sie verfolgen und dem Unternehmen schreiben.`
        : `Auf der Statusseite Ihrer Schwachstellenmeldung an ${company} gibt es Neues.`,
    link: 'Statusseite öffnen',
    noReply: `Antworten auf diese Nachricht werden nicht Teil der Meldung. Schreiben Sie auf der Statusseite oder an ${contact}.`,
  }),
}
