import type { Words } from './words.ts'

export const nb: Words = {
  language: 'Norsk',
  policyTitle: 'Rapporter en sårbarhet',
  advisories: 'Sikkerhetsvarsler',
  acknowledgments: 'Takk til',
  languages: 'Språk',
  intro: (company) =>
    `Har du funnet en sårbarhet i et produkt fra ${company}? Fortell oss om den her. Du trenger ingen konto, og du kan være anonym.`,
  byMail: 'Eller send oss en e-post:',
  toForm: 'Gå til skjemaet',
  encryption: 'Nøkkel for krypterte meldinger:',
  ownPolicy: 'Våre retningslinjer',
  policy: ({ company, promiseDays, embargoDays }) => [
    {
      title: 'Hva det gjelder',
      text: `Sårbarheter i produkter fra ${company}, med alt som er bygd inn i dem, også deler som andre har laget.`,
    },
    {
      title: 'Hva du kan forvente',
      text:
        promiseDays === null
          ? 'Vi leser alle rapporter og svarer på statussiden.'
          : `Vi leser alle rapporter og svarer på statussiden innen ${promiseDays === 1 ? 'ett døgn' : `${promiseDays} døgn`}.`,
    },
    {
      title: 'Hva vi ber deg om',
      text: 'Ikke gjør skade: Ikke forstyrr tjenester som er i bruk, ikke se på mer data enn du trenger for å påvise feilen, ikke kopier eller endre noe, og ikke legg igjen noe.',
    },
    {
      title: 'Ingen rettslige skritt',
      text: 'Vi tar ikke rettslige skritt mot noen som leter etter sårbarheter i god tro og holder seg til disse retningslinjene.',
    },
    {
      title: 'Koordinert offentliggjøring',
      text: `Hold funnet for deg selv til det finnes en løsning, i utgangspunktet i ${embargoDays} dager. Vi sier fra når vi publiserer, og blir enige med deg om en annen dato når det trengs.`,
    },
    {
      title: 'Kreditering',
      text: 'Hvis du samtykker, takker vi deg med navn i varselet og på takkesiden. Ellers nevner vi ikke navnet ditt.',
    },
    {
      title: 'Sårbarheter som utnyttes',
      text: 'Loven kan pålegge oss å melde fra til et nasjonalt CSIRT om at en sårbarhet utnyttes. Vi oppgir ikke navnet ditt uten ditt samtykke.',
    },
  ],
  form: {
    title: 'Din rapport',
    about:
      'Skriv på norsk, engelsk eller tysk. Du får en hemmelig lenke der du kan følge rapporten og skrive til oss.',
    required: 'må fylles ut',
    product: 'Berørt produkt',
    otherProduct: 'Et annet produkt, eller usikker',
    productName: 'Navnet på produktet',
    version: 'Versjon',
    reportTitle: 'Hva handler det om, på én linje?',
    description: 'Beskrivelse og hvordan feilen kan gjenskapes',
    descriptionHint: 'Hva som skjer, hva som skulle ha skjedd, og hvordan man ser det. Høyst 20 000 tegn.',
    impact: 'Hva kan en angriper bruke det til?',
    type: 'Type sårbarhet',
    typeHint: 'For eksempel bufferoverflyt, manglende autentisering eller et CWE-nummer.',
    cve: 'CVE-nummer, hvis det finnes',
    exploited: 'Kjenner du til at den utnyttes?',
    yes: 'Ja',
    no: 'Nei',
    unknown: 'Vet ikke',
    exploitedHint: 'Noen har brukt den mot andre uten tillatelse.',
    embargo: 'Når planlegger du å publisere?',
    embargoHint: 'La feltet stå tomt hvis du ikke har noen plan.',
    toldOthers: 'Hvem andre har du fortalt om den?',
    creditTitle: 'Kreditering',
    creditNone: 'Ikke nevn meg',
    creditNamed: 'Nevn meg slik',
    creditName: 'Navn',
    creditOrganisation: 'Organisasjon',
    creditLink: 'Lenke',
    creditConsent:
      'Jeg samtykker i at dette navnet og denne lenken publiseres. Frem til da kan jeg trekke samtykket.',
    contactTitle: 'Hvordan kan vi nå deg når det er noe nytt?',
    contactHint:
      'Begge feltene kan stå tomme. En e-post til deg sier bare at det er noe nytt, og inneholder lenken.',
    contactHintWithoutMail:
      'Begge feltene kan stå tomme. Du får ingen e-post: Ta vare på adressen til siden du får; der står svarene.',
    contactName: 'Navnet ditt',
    contactEmail: 'E-postadressen din',
    attachments: 'Vedlegg',
    attachmentsHint: 'Høyst 5 filer, 10 MB hver og 20 MB til sammen.',
    trap: 'La dette feltet stå tomt',
    send: 'Send rapporten',
  },
  problems: {
    required: 'Dette må fylles ut.',
    too_long: 'Dette er for langt.',
    cut: 'Dette er for langt: Bare begynnelsen kom frem.',
    not_email: 'Dette er ingen e-postadresse.',
    not_link: 'Dette må begynne med https:// eller http://.',
    not_day: 'Dette er ingen dato.',
    unknown: 'Velg fra listen.',
  },
  troubles: {
    stale:
      'Siden var åpen for lenge, så ingenting ble sendt. Det du skrev, er fortsatt her: Send det nå, og legg ved filene på nytt.',
    sent_twice:
      'Dette skjemaet er allerede sendt, og innholdet er mottatt. Hvis du vil sende noe annet, endrer du teksten og sender på nytt.',
    too_large:
      'Ingenting ble sendt: En fil er større enn 10 MB, eller filene er større enn 20 MB til sammen. Det du skrev, er fortsatt her.',
    too_much_text:
      'Ingenting ble sendt: Teksten er altfor lang. Begynnelsen er fortsatt her; kort ned feltene som er merket nedenfor, og legg ved det som er langt, som fil.',
    not_stored:
      'Ingenting ble sendt: Filer kan ikke lagres for øyeblikket. Det du skrev, er fortsatt her: Legg ved filene på nytt og send om et minutt, eller send nå uten filer.',
    no_room:
      'Ingenting ble sendt: Det er ikke plass til filer for øyeblikket. Det du skrev, er fortsatt her: Send det uten filer, og send filene på e-post.',
    too_many_files: 'Ingenting ble sendt: Det er flere enn 5 filer. Det du skrev, er fortsatt her.',
    empty_file:
      'Ingenting ble sendt: En fil er tom. Det du skrev, er fortsatt her: Legg ved filene på nytt, uten den tomme.',
    not_utf8:
      'Ingenting ble sendt: Noe av teksten kom ikke frem som UTF-8 og vises med � der den ikke kunne leses. Rett teksten og send på nytt.',
    broken: 'Ingenting ble sendt: Det kom ikke frem som et skjema. Det som kunne leses, er fortsatt her.',
    fields: 'Ingenting ble sendt: Se på feltene som er merket nedenfor. Filer må legges ved på nytt.',
    thread_full:
      'Ingenting ble sendt: Det er ikke plass til flere meldinger om denne rapporten. Det du skrev, er fortsatt her: Send det på e-post.',
    too_often:
      'Ingenting ble sendt: Det har kommet for mye fra adressen din eller til dette selskapet. Prøv igjen om en time, eller skriv en e-post.',
  },
  closedForm: 'Rapporter kan ikke tas imot her for øyeblikket. Skriv en e-post til',
  status: {
    title: (number) => `Rapport ${number}`,
    received: 'Rapporten din er mottatt. Takk.',
    keepLink:
      'Ta vare på adressen til denne siden: Den er den eneste veien tilbake til rapporten, og alle som kjenner den, kan lese siden.',
    receivedAt: 'Mottatt',
    state: 'Status',
    acknowledgeBy: 'Svar lovet innen',
    yourTitle: 'Din rapport',
    attachments: 'Vedlegg',
    thread: 'Meldinger',
    noMessages: 'Det er ingen meldinger ennå.',
    you: 'Du',
    write: 'Skriv en melding',
    send: 'Send meldingen',
    unreadable: 'Dette kan ikke vises for øyeblikket.',
    credit: 'Kreditering',
    creditGiven: 'Du har samtykket i å bli nevnt.',
    creditNotGiven: 'Du har ikke samtykket i å bli nevnt.',
    creditShown: 'Du er nevnt på takkesiden.',
    creditPublished:
      'Du er nevnt i et publisert sikkerhetsvarsel. Det blir stående, også om du trekker samtykket.',
    giveCredit: 'Jeg samtykker i å bli nevnt',
    withdrawCredit: 'Trekk samtykket',
  },
  states: {
    new: 'Mottatt',
    acknowledged: 'Bekreftet mottatt',
    investigating: 'Undersøkes',
    confirmed: 'Bekreftet',
    not_reproduced: 'Kunne ikke gjenskapes',
    duplicate: 'Kjent fra før',
    out_of_scope: 'Utenfor retningslinjene',
    fixed: 'Rettet',
    disclosed: 'Publisert',
    closed: 'Avsluttet',
  },
  thanks: {
    title: 'Takk til',
    intro: (company) => `${company} takker dem som har rapportert sårbarheter og samtykket i å bli nevnt.`,
    none: 'Ingen er nevnt her ennå.',
  },
  missing: {
    title: 'Siden finnes ikke',
    page: 'Det finnes ingen side på denne adressen.',
    advisory: 'Det er ikke publisert noe sikkerhetsvarsel på denne adressen. «Sikkerhetsvarsler» viser alle.',
  },
  notFound: { title: 'Ikke funnet', text: 'Det finnes ingen rapport på denne adressen.' },
  tooOften: {
    title: 'For mange forespørsler',
    text: 'Det er gjort for mange forsøk herfra. Prøv igjen om en time.',
  },
}
