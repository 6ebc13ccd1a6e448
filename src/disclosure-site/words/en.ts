import type { Words } from './words.ts'

export const en: Words = {
  language: 'English',
  policyTitle: 'Report a vulnerability',
  advisories: 'Security advisories',
  acknowledgments: 'Acknowledgments',
  languages: 'Language',
  intro: (company) =>
    `Have you found a vulnerability in a product of ${company}? Tell us here. You do not need an account, and you can stay anonymous.`,
  byMail: 'Or send us an e-mail:',
  toForm: 'Go to the form',
  encryption: 'Key for encrypted messages:',
  ownPolicy: 'Our policy',
  policy: ({ company, promiseDays, embargoDays }) => [
    {
      title: 'Scope',
      text: `Vulnerabilities in products of ${company}, with everything that is built into them, including parts made by others.`,
    },
    {
      title: 'What you can expect',
      text:
        promiseDays === null
          ? 'We read every report and answer on its status page.'
          : `We read every report and answer within ${promiseDays === 1 ? 'one day' : `${promiseDays} days`} on its status page.`,
    },
    {
      title: 'What we ask of you',
      text: 'Do no harm: do not disturb services that people use, look at no more data than you need to show the problem, do not copy or change any, and leave nothing behind.',
    },
    {
      title: 'Safe harbour',
      text: 'We take no legal action against anybody who looks for vulnerabilities in good faith and keeps to this policy.',
    },
    {
      title: 'Coordination',
      text: `Please keep what you found to yourself until there is a remedy, by default for ${embargoDays} days. We tell you when we publish, and agree on another date with you where it is needed.`,
    },
    {
      title: 'Credit',
      text: 'If you agree, we thank you by name in the advisory and the acknowledgments. If not, we leave your name out.',
    },
    {
      title: 'Exploited vulnerabilities',
      text: 'The law may oblige us to tell a national CSIRT that a vulnerability is being exploited. We do not pass on your name without your consent.',
    },
  ],
  form: {
    title: 'Your report',
    about:
      'Write in English, Norwegian or German. You get a secret link where you can follow the report and write to us.',
    required: 'required',
    product: 'Affected product',
    otherProduct: 'Another product, or not sure',
    productName: 'Name of the product',
    version: 'Version',
    reportTitle: 'What is it, in one line?',
    description: 'Description and steps to reproduce',
    descriptionHint: 'What happens, what should happen, and how to see it. At most 20 000 characters.',
    impact: 'What can an attacker do with it?',
    type: 'Type of vulnerability',
    typeHint: 'For example buffer overflow, missing authentication, or a CWE number.',
    cve: 'CVE number, if there is one',
    exploited: 'Do you know whether it is being exploited?',
    yes: 'Yes',
    no: 'No',
    unknown: 'I do not know',
    exploitedHint: 'Somebody has used it against others without permission.',
    embargo: 'When do you plan to publish?',
    embargoHint: 'Leave it empty if you have no plan.',
    toldOthers: 'Who else have you told about it?',
    creditTitle: 'Credit',
    creditNone: 'Do not name me',
    creditNamed: 'Name me as follows',
    creditName: 'Name',
    creditOrganisation: 'Organisation',
    creditLink: 'Link',
    creditConsent: 'I agree that this name and link are published. I can withdraw my consent until then.',
    contactTitle: 'How can we reach you when there is news?',
    contactHint:
      'You may leave both empty. Our e-mail says only that there is something new, and contains the link.',
    contactHintWithoutMail:
      'You may leave both empty. No e-mail is sent to you: keep the address of the page that you get, where the answers are.',
    contactName: 'Your name',
    contactEmail: 'Your e-mail address',
    attachments: 'Attachments',
    attachmentsHint: 'At most 5 files, 10 MB each and 20 MB together.',
    trap: 'Leave this field empty',
    send: 'Send the report',
  },
  problems: {
    required: 'This field is required.',
    too_long: 'This is too long.',
    cut: 'This is too long: only its beginning arrived.',
    not_email: 'This is not an e-mail address.',
    not_link: 'This must begin with https:// or http://.',
    not_day: 'This is not a date.',
    unknown: 'Choose one from the list.',
  },
  troubles: {
    stale:
      'This page was open for too long, so nothing was sent. What you typed is still here: send it now, and attach files again.',
    sent_twice:
      'This form was sent before, and what it says was received then. If you want to say something else, change what you typed and send it.',
    too_large:
      'Nothing was sent: a file is larger than 10 MB, or all of them together are larger than 20 MB. What you typed is still here.',
    too_much_text:
      'Nothing was sent: the text is far too long. Its beginning is still here; shorten the fields marked below, and attach what is long as a file.',
    not_stored:
      'Nothing was sent: files cannot be stored at the moment. What you typed is still here: attach them again and send it in a minute, or send it now without files.',
    no_room:
      'Nothing was sent: there is no room for files at the moment. What you typed is still here: send it without files, and send these by e-mail.',
    too_many_files: 'Nothing was sent: there are more than 5 files. What you typed is still here.',
    empty_file:
      'Nothing was sent: a file is empty. What you typed is still here: attach the files again, without the empty one.',
    not_utf8:
      'Nothing was sent: some of the text did not arrive as UTF-8, and is shown with � where it could not be read. Please correct it and send it again.',
    broken: 'Nothing was sent: it did not arrive as a form. What could be read is still here.',
    fields: 'Nothing was sent: please look at the fields marked below. Files have to be attached again.',
    thread_full:
      'Nothing was sent: there is no room for more messages about this report. What you typed is still here: send it by e-mail.',
    too_often:
      'Nothing was sent: too much has come from your address or to this company. Try again in an hour, or write an e-mail.',
  },
  closedForm: 'Reports cannot be taken here at the moment. Please write an e-mail to',
  status: {
    title: (number) => `Report ${number}`,
    received: 'Your report has been received. Thank you.',
    keepLink:
      'Keep the address of this page: it is the only way back to your report, and anyone who knows it can read this page.',
    receivedAt: 'Received',
    state: 'State',
    acknowledgeBy: 'Answer promised by',
    yourTitle: 'Your report',
    attachments: 'Attachments',
    thread: 'Messages',
    noMessages: 'There are no messages yet.',
    you: 'You',
    write: 'Write a message',
    send: 'Send the message',
    unreadable: 'This cannot be shown at the moment.',
    credit: 'Credit',
    creditGiven: 'You have agreed to be named.',
    creditNotGiven: 'You have not agreed to be named.',
    creditShown: 'You are named in the acknowledgments.',
    creditPublished:
      'A published security advisory names you. It stays as it is, even if you withdraw your consent.',
    giveCredit: 'I agree to be named',
    withdrawCredit: 'Withdraw my consent',
  },
  states: {
    new: 'Received',
    acknowledged: 'Acknowledged',
    investigating: 'Being investigated',
    confirmed: 'Confirmed',
    not_reproduced: 'Could not be reproduced',
    duplicate: 'Already known',
    out_of_scope: 'Outside the scope of the policy',
    fixed: 'Fixed',
    disclosed: 'Published',
    closed: 'Closed',
  },
  thanks: {
    title: 'Acknowledgments',
    intro: (company) => `${company} thanks those who reported vulnerabilities and agreed to be named.`,
    none: 'No names have been published yet.',
  },
  missing: {
    title: 'Page not found',
    page: 'There is no page at this address.',
    advisory: 'No advisory is published at this address. “Security advisories” lists all that are.',
  },
  notFound: { title: 'Not found', text: 'There is no report at this address.' },
  tooOften: {
    title: 'Too many requests',
    text: 'Too many addresses were tried from here. Try again in an hour.',
  },
}
