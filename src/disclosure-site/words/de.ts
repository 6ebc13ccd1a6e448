import type { Words } from './words.ts'

export const de: Words = {
  language: 'Deutsch',
  policyTitle: 'Schwachstelle melden',
  advisories: 'Sicherheitshinweise',
  acknowledgments: 'Danksagungen',
  languages: 'Sprache',
  intro: (company) =>
    `Haben Sie eine Schwachstelle in einem Produkt von ${company} gefunden? Melden Sie sie hier. Sie brauchen kein Konto und können anonym bleiben.`,
  byMail: 'Oder schreiben Sie uns eine E-Mail:',
  toForm: 'Zum Formular',
  encryption: 'Schlüssel für verschlüsselte Nachrichten:',
  ownPolicy: 'Unsere Richtlinie',
  policy: ({ company, promiseDays, embargoDays }) => [
    {
      title: 'Geltungsbereich',
      text: `Schwachstellen in Produkten von ${company} einschließlich aller darin verbauten Komponenten, auch solcher anderer Hersteller.`,
    },
    {
      title: 'Was Sie erwarten können',
      text:
        promiseDays === null
          ? 'Wir lesen jede Meldung und antworten auf der zugehörigen Statusseite.'
          : `Wir lesen jede Meldung und antworten innerhalb von ${promiseDays === 1 ? 'einem Tag' : `${promiseDays} Tagen`} auf der zugehörigen Statusseite.`,
    },
    {
      title: 'Worum wir Sie bitten',
      text: 'Richten Sie keinen Schaden an: Stören Sie keine Dienste im laufenden Betrieb, sehen Sie sich nicht mehr Daten an, als für den Nachweis nötig sind, kopieren und ändern Sie nichts und lassen Sie nichts zurück.',
    },
    {
      title: 'Rechtliche Zusage',
      text: 'Wir gehen nicht rechtlich gegen Menschen vor, die in gutem Glauben nach Schwachstellen suchen und sich an diese Richtlinie halten.',
    },
    {
      title: 'Koordinierte Veröffentlichung',
      text: `Bitte behalten Sie Ihren Fund für sich, bis es Abhilfe gibt, in der Regel ${embargoDays} Tage lang. Wir sagen Ihnen, wann wir veröffentlichen, und vereinbaren bei Bedarf einen anderen Termin mit Ihnen.`,
    },
    {
      title: 'Namensnennung',
      text: 'Wenn Sie zustimmen, danken wir Ihnen namentlich im Sicherheitshinweis und in den Danksagungen. Andernfalls nennen wir Ihren Namen nicht.',
    },
    {
      title: 'Ausgenutzte Schwachstellen',
      text: 'Das Gesetz kann uns verpflichten, einem nationalen CSIRT mitzuteilen, dass eine Schwachstelle ausgenutzt wird. Ihren Namen geben wir nicht ohne Ihre Zustimmung weiter.',
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
    descriptionHint: 'Was passiert, was passieren sollte und woran man es erkennt. Höchstens 20 000 Zeichen.',
    impact: 'Was kann ein Angreifer damit tun?',
    type: 'Art der Schwachstelle',
    typeHint: 'Zum Beispiel Pufferüberlauf, fehlende Authentifizierung oder eine CWE-Nummer.',
    cve: 'CVE-Nummer, falls vorhanden',
    exploited: 'Wird sie Ihres Wissens bereits ausgenutzt?',
    yes: 'Ja',
    no: 'Nein',
    unknown: 'Weiß ich nicht',
    exploitedHint: 'Jemand hat sie ohne Erlaubnis gegen andere verwendet.',
    embargo: 'Wann wollen Sie veröffentlichen?',
    embargoHint: 'Lassen Sie das Feld leer, wenn Sie keine Veröffentlichung planen.',
    toldOthers: 'Wem haben Sie noch davon erzählt?',
    creditTitle: 'Namensnennung',
    creditNone: 'Mich nicht nennen',
    creditNamed: 'Mich so nennen',
    creditName: 'Name',
    creditOrganisation: 'Organisation',
    creditLink: 'Link',
    creditConsent:
      'Ich stimme zu, dass dieser Name und dieser Link veröffentlicht werden. Bis zur Veröffentlichung kann ich die Zustimmung widerrufen.',
    contactTitle: 'Wie können wir Sie erreichen, wenn es Neues gibt?',
    contactHint:
      'Beide Felder dürfen leer bleiben. Eine E-Mail an Sie enthält nur den Hinweis, dass es Neues gibt, und den Link.',
    contactHintWithoutMail:
      'Beide Felder dürfen leer bleiben. Sie bekommen keine E-Mail: Bewahren Sie die Adresse der Seite auf, die Sie erhalten; dort stehen die Antworten.',
    contactName: 'Ihr Name',
    contactEmail: 'Ihre E-Mail-Adresse',
    attachments: 'Anhänge',
    attachmentsHint: 'Höchstens 5 Dateien, je 10 MB und zusammen 20 MB.',
    trap: 'Lassen Sie dieses Feld leer',
    send: 'Meldung senden',
  },
  problems: {
    required: 'Dieses Feld ist erforderlich.',
    too_long: 'Das ist zu lang.',
    cut: 'Das ist zu lang: Nur der Anfang ist angekommen.',
    not_email: 'Das ist keine E-Mail-Adresse.',
    not_link: 'Das muss mit https:// oder http:// beginnen.',
    not_day: 'Das ist kein Datum.',
    unknown: 'Wählen Sie einen Eintrag aus der Liste.',
  },
  troubles: {
    stale:
      'Diese Seite war zu lange geöffnet, deshalb wurde nichts gesendet. Was Sie geschrieben haben, ist noch da: Senden Sie es jetzt und hängen Sie Dateien erneut an.',
    sent_twice:
      'Dieses Formular wurde bereits gesendet, und sein Inhalt ist eingegangen. Wenn Sie etwas anderes senden wollen, ändern Sie den Text und senden Sie ihn erneut.',
    too_large:
      'Es wurde nichts gesendet: Eine Datei ist größer als 10 MB, oder alle zusammen sind größer als 20 MB. Was Sie geschrieben haben, ist noch da.',
    too_much_text:
      'Es wurde nichts gesendet: Der Text ist viel zu lang. Sein Anfang ist noch da; kürzen Sie die markierten Felder und hängen Sie Langes als Datei an.',
    not_stored:
      'Es wurde nichts gesendet: Dateien können im Moment nicht gespeichert werden. Was Sie geschrieben haben, ist noch da: Hängen Sie die Dateien erneut an und senden Sie es in einer Minute, oder senden Sie es jetzt ohne Dateien.',
    no_room:
      'Es wurde nichts gesendet: Für Dateien ist im Moment kein Platz. Was Sie geschrieben haben, ist noch da: Senden Sie es ohne Dateien und schicken Sie diese per E-Mail.',
    too_many_files:
      'Es wurde nichts gesendet: Es sind mehr als 5 Dateien. Was Sie geschrieben haben, ist noch da.',
    empty_file:
      'Es wurde nichts gesendet: Eine Datei ist leer. Was Sie geschrieben haben, ist noch da: Fügen Sie die Dateien erneut an, ohne die leere.',
    not_utf8:
      'Es wurde nichts gesendet: Ein Teil des Textes kam nicht als UTF-8 an und wird mit � angezeigt, wo er nicht lesbar war. Bitte berichtigen Sie ihn und senden Sie erneut.',
    broken: 'Es wurde nichts gesendet: Es kam nicht als Formular an. Was lesbar war, ist noch da.',
    fields:
      'Es wurde nichts gesendet: Bitte sehen Sie sich die markierten Felder an. Dateien müssen erneut angehängt werden.',
    thread_full:
      'Es wurde nichts gesendet: Für weitere Nachrichten zu dieser Meldung ist kein Platz mehr. Was Sie geschrieben haben, ist noch da: Senden Sie es per E-Mail.',
    too_often:
      'Es wurde nichts gesendet: Von Ihrer Adresse oder an dieses Unternehmen wurde zu viel gesendet. Versuchen Sie es in einer Stunde erneut oder schreiben Sie eine E-Mail.',
  },
  closedForm:
    'Meldungen können hier im Moment nicht entgegengenommen werden. Bitte schreiben Sie eine E-Mail an',
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
    unreadable: 'Das kann im Moment nicht angezeigt werden.',
    credit: 'Namensnennung',
    creditGiven: 'Sie haben zugestimmt, genannt zu werden.',
    creditNotGiven: 'Sie haben nicht zugestimmt, genannt zu werden.',
    creditShown: 'Sie werden in den Danksagungen genannt.',
    creditPublished:
      'Ein veröffentlichter Sicherheitshinweis nennt Sie. Er bleibt so, auch wenn Sie die Zustimmung widerrufen.',
    giveCredit: 'Ich stimme der Nennung zu',
    withdrawCredit: 'Zustimmung widerrufen',
  },
  states: {
    new: 'Eingegangen',
    acknowledged: 'Eingang bestätigt',
    investigating: 'Wird untersucht',
    confirmed: 'Bestätigt',
    not_reproduced: 'Nicht reproduzierbar',
    duplicate: 'Bereits bekannt',
    out_of_scope: 'Außerhalb des Geltungsbereichs',
    fixed: 'Behoben',
    disclosed: 'Veröffentlicht',
    closed: 'Abgeschlossen',
  },
  thanks: {
    title: 'Danksagungen',
    intro: (company) =>
      `${company} dankt allen, die Schwachstellen gemeldet und ihrer Nennung zugestimmt haben.`,
    none: 'Hier wird noch niemand genannt.',
  },
  missing: {
    title: 'Seite nicht gefunden',
    page: 'Unter dieser Adresse gibt es keine Seite.',
    advisory:
      'Unter dieser Adresse ist kein Sicherheitshinweis veröffentlicht. „Sicherheitshinweise“ zeigt alle.',
  },
  notFound: { title: 'Nicht gefunden', text: 'Unter dieser Adresse gibt es keine Meldung.' },
  tooOften: {
    title: 'Zu viele Anfragen',
    text: 'Von Ihrem Anschluss kamen zu viele Versuche. Versuchen Sie es in einer Stunde erneut.',
  },
}
