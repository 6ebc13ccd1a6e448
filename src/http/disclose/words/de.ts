import type { Words } from './words.ts'

export const de: Words = {
  language: 'Deutsch',
  policyTitle: 'Schwachstelle melden',
  advisories: 'Sicherheitshinweise',
  acknowledgments: 'Danksagungen',
  languages: 'Sprache',
  intro: (company) =>
    `Haben Sie eine Schwachstelle in einem Produkt von ${company} gefunden? Melden Sie sie hier. Sie brauchen kein Konto und können anonym bleiben.`,
  byMail: 'Oder schreiben Sie einem Menschen eine E-Mail:',
  toForm: 'Zum Formular',
  encryption: 'Schlüssel für verschlüsselte Nachrichten:',
  ownPolicy: 'Unsere Richtlinie',
  policy: ({ company, promiseDays, embargoDays }) => [
    {
      title: 'Geltungsbereich',
      text: `Schwachstellen in Produkten von ${company} mit allem, was darin verbaut ist, auch Teilen anderer Hersteller.`,
    },
    {
      title: 'Was Sie erwarten können',
      text:
        promiseDays === null
          ? 'Wir lesen jede Meldung und antworten auf ihrer Statusseite.'
          : `Wir lesen jede Meldung und antworten innerhalb von ${promiseDays === 1 ? 'einem Tag' : `${promiseDays} Tagen`} auf ihrer Statusseite.`,
    },
    {
      title: 'Worum wir Sie bitten',
      text: 'Richten Sie keinen Schaden an: Stören Sie keine Dienste, die benutzt werden, sehen Sie nicht mehr Daten an, als der Nachweis braucht, kopieren und ändern Sie nichts und hinterlassen Sie nichts.',
    },
    {
      title: 'Rechtliche Zusage',
      text: 'Wir gehen nicht rechtlich gegen Menschen vor, die in gutem Glauben nach Schwachstellen suchen und sich an diese Richtlinie halten.',
    },
    {
      title: 'Abstimmung',
      text: `Bitte behalten Sie Ihren Fund für sich, bis es Abhilfe gibt, in der Regel ${embargoDays} Tage. Wir sagen Ihnen, wann wir veröffentlichen, und vereinbaren bei Bedarf einen anderen Termin mit Ihnen.`,
    },
    {
      title: 'Nennung',
      text: 'Wir danken Ihnen namentlich im Sicherheitshinweis und in den Danksagungen, wenn Sie zustimmen, und lassen Ihren Namen sonst weg.',
    },
    {
      title: 'Ausgenutzte Schwachstellen',
      text: 'Das Gesetz kann uns verpflichten, einem nationalen CSIRT mitzuteilen, dass eine Schwachstelle ausgenutzt wird. Ihr Name gehört ohne Ihre Zustimmung nicht dazu.',
    },
  ],
  form: {
    title: 'Ihre Meldung',
    about:
      'Schreiben Sie auf Deutsch, Englisch oder Norwegisch. Sie erhalten einen geheimen Link, unter dem Sie die Meldung verfolgen und uns schreiben können.',
    required: 'erforderlich',
    product: 'Betroffenes Produkt',
    otherProduct: 'Ein anderes Produkt oder nicht sicher',
    productName: 'Name des Produkts',
    version: 'Version',
    reportTitle: 'Worum geht es, in einer Zeile?',
    description: 'Beschreibung und Schritte zum Nachstellen',
    descriptionHint: 'Was geschieht, was geschehen sollte und wie man es sieht. Höchstens 20 000 Zeichen.',
    impact: 'Was kann ein Angreifer damit tun?',
    type: 'Art der Schwachstelle',
    typeHint: 'Zum Beispiel Pufferüberlauf, fehlende Authentifizierung oder eine CWE-Nummer.',
    cve: 'CVE-Nummer, falls vorhanden',
    exploited: 'Wissen Sie, dass sie ausgenutzt wird?',
    yes: 'Ja',
    no: 'Nein',
    unknown: 'Weiß ich nicht',
    exploitedHint: 'Jemand hat sie ohne Erlaubnis gegen andere verwendet.',
    embargo: 'Wann wollen Sie veröffentlichen?',
    embargoHint: 'Lassen Sie das Feld leer, wenn Sie nichts planen.',
    toldOthers: 'Wem haben Sie noch davon erzählt?',
    creditTitle: 'Nennung',
    creditNone: 'Nicht nennen',
    creditNamed: 'So nennen',
    creditName: 'Name',
    creditOrganisation: 'Organisation',
    creditLink: 'Link',
    creditConsent:
      'Ich stimme zu, dass Name und Link veröffentlicht werden. Bis dahin kann ich die Zustimmung widerrufen.',
    contactTitle: 'Wie wir Ihnen sagen können, dass es Neues gibt',
    contactHint:
      'Beides darf leer bleiben. Eine E-Mail an Sie sagt nur, dass es Neues gibt, und enthält den Link.',
    contactName: 'Ihr Name',
    contactEmail: 'Ihre E-Mail-Adresse',
    attachments: 'Anhänge',
    attachmentsHint: 'Höchstens 5 Dateien, je 10 MB und zusammen 20 MB.',
    trap: 'Lassen Sie dieses Feld leer',
    send: 'Meldung senden',
  },
  problems: {
    required: 'Das wird gebraucht.',
    too_long: 'Das ist zu lang.',
    not_email: 'Das ist keine E-Mail-Adresse.',
    not_link: 'Das muss mit https:// oder http:// beginnen.',
    not_day: 'Das ist kein Datum.',
    unknown: 'Wählen Sie aus der Liste.',
  },
  troubles: {
    stale:
      'Diese Seite war zu lange offen, die Meldung wurde nicht gesendet. Was Sie geschrieben haben, ist noch da: Hängen Sie Dateien erneut an und senden Sie jetzt.',
    sent_twice:
      'Dieses Formular wurde schon gesendet, die Meldung ist dabei eingegangen. Wenn Sie etwas anderes melden wollen, ändern Sie den Text und senden Sie ihn.',
    too_large:
      'Die Meldung wurde nicht gesendet: Ihre Dateien sind größer als je 10 MB oder zusammen 20 MB. Was Sie geschrieben haben, ist noch da.',
    too_many_files:
      'Die Meldung wurde nicht gesendet: Sie hat mehr als 5 Dateien. Was Sie geschrieben haben, ist noch da.',
    not_utf8:
      'Die Meldung wurde nicht gesendet: Ein Teil des Textes kam nicht als UTF-8 an und ist mit � gezeigt, wo er nicht lesbar war. Bitte berichtigen Sie ihn und senden Sie erneut.',
    broken: 'Die Meldung wurde nicht gesendet: Sie kam nicht als Formular an. Was lesbar war, ist noch da.',
    fields:
      'Die Meldung wurde nicht gesendet: Bitte sehen Sie sich die markierten Felder an. Dateien müssen erneut angehängt werden.',
    too_often:
      'Die Meldung wurde nicht gesendet: Von Ihrer Adresse oder an dieses Unternehmen kamen zu viele Meldungen. Versuchen Sie es in einer Stunde erneut oder schreiben Sie eine E-Mail.',
  },
  closedForm: 'Meldungen können hier im Moment nicht angenommen werden. Bitte schreiben Sie eine E-Mail an',
  status: {
    title: (number) => `Meldung ${number}`,
    received: 'Ihre Meldung ist eingegangen. Vielen Dank.',
    keepLink:
      'Bewahren Sie die Adresse dieser Seite auf: Nur über sie kommen Sie zu Ihrer Meldung zurück, und wer sie kennt, kann die Seite lesen.',
    receivedAt: 'Eingegangen',
    state: 'Status',
    acknowledgeBy: 'Antwort zugesagt bis',
    yourTitle: 'Ihre Meldung',
    attachments: 'Anhänge',
    thread: 'Nachrichten',
    noMessages: 'Es gibt noch keine Nachrichten.',
    you: 'Sie',
    write: 'Nachricht schreiben',
    send: 'Nachricht senden',
    unreadable: 'Das kann im Moment nicht gezeigt werden.',
    credit: 'Nennung',
    creditGiven: 'Sie haben zugestimmt, genannt zu werden.',
    creditNotGiven: 'Sie haben nicht zugestimmt, genannt zu werden.',
    creditShown: 'Sie sind in den Danksagungen genannt.',
    giveCredit: 'Ich stimme der Nennung zu',
    withdrawCredit: 'Zustimmung widerrufen',
  },
  states: {
    new: 'Eingegangen',
    acknowledged: 'Eingang bestätigt',
    investigating: 'Wird untersucht',
    confirmed: 'Bestätigt',
    not_reproduced: 'Nicht nachvollziehbar',
    duplicate: 'Schon bekannt',
    out_of_scope: 'Außerhalb der Richtlinie',
    fixed: 'Behoben',
    disclosed: 'Veröffentlicht',
    closed: 'Abgeschlossen',
  },
  thanks: {
    title: 'Danksagungen',
    intro: (company) =>
      `${company} dankt allen, die Schwachstellen gemeldet und ihrer Nennung zugestimmt haben.`,
    none: 'Hier ist noch niemand genannt.',
  },
  notFound: { title: 'Nicht gefunden', text: 'Unter dieser Adresse gibt es keine Meldung.' },
  tooOften: {
    title: 'Zu viele Anfragen',
    text: 'Von hier wurden zu viele Adressen versucht. Versuchen Sie es in einer Stunde erneut.',
  },
}
