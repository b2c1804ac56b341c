import { headOf } from '../text/head-of-text.ts';
import { EXCESS_COMBINING_MARKS } from '../text/long-marks.ts';

/** Kinds of columns: data of a person, a company or the agreement. */
const columnKinds = [
  'given-name',
  'surname',
  'full-name',
  'company-name',
  'person-number',
  'org-number',
  'email',
  'mobile',
  'country',
  'title',
  'expires',
  'order',
] as const;
type ColumnKind = (typeof columnKinds)[number];

/**
 * Words for each kind, in the order sv, da, nb, fi, de, nl, fr, es, it, pl, en. A language has
 * several words if offices use different ones.
 */
const wordsByKind: Readonly<Record<ColumnKind, string>> = {
  'given-name': `förnamn, tilltalsnamn | fornavn | fornavn | etunimi, etunimet | vorname, rufname |
    voornaam, roepnaam | prénom, prénoms | nombre, nombre de pila | nome | imię, imiona |
    first name, given name, forename, firstname`,
  surname: `efternamn | efternavn | etternavn | sukunimi | nachname, familienname, zuname |
    achternaam, familienaam | nom, nom de famille | apellido, apellidos, primer apellido | cognome |
    nazwisko | last name, surname, family name`,
  'full-name': `namn, fullständigt namn, hela namnet, hyresgäst, kund | navn, fulde navn | navn, fullt navn |
    nimi, koko nimi | name, vollständiger name | naam, volledige naam | nom complet, nom et prénom |
    nombre completo, nombre y apellidos | nome completo, nome e cognome, nominativo |
    imię i nazwisko | name, full name, customer, tenant`,
  'company-name': `företag, företagsnamn, bolag, bolagsnamn | virksomhed, virksomhedsnavn, firma, firmanavn |
    selskap, firma, firmanavn | yritys, yrityksen nimi | firma, unternehmen, firmenname,
    name des unternehmens |
    bedrijf, bedrijfsnaam | entreprise, société, raison sociale, nom de l'entreprise |
    empresa, razón social, nombre de la empresa |
    azienda, ragione sociale, società, nome dell'azienda | firma, nazwa firmy | company, company name, organisation`,
  'person-number': `personnummer, pers nr, personnr, pnr | cpr, cpr-nummer, cpr nr, personnummer |
    fødselsnummer, fnr, personnummer | henkilötunnus, hetu, sosiaaliturvatunnus |
    personalausweisnummer, personennummer, steuer-id, ausweisnummer |
    burgerservicenummer, bsn, persoonsnummer | numéro personnel, numéro d'identité, numéro de sécurité sociale |
    dni, nie, número de identidad, número personal | codice fiscale, numero personale, numero di identità |
    pesel, numer pesel, numer osobowy | personal number, person number, personal id, personal no, national id,
    identity number, ssn`,
  'org-number': `organisationsnummer, orgnr, org nr | cvr, cvr-nummer, cvr nr |
    organisasjonsnummer, orgnr | y-tunnus, yritystunnus, organisaationumero |
    handelsregisternummer, firmennummer, unternehmensnummer | kvk, kvk-nummer,
    organisatienummer |
    siren, siret, numéro d'entreprise | cif, nif, número de empresa |
    partita iva, p iva, numero d'impresa | nip, regon, krs, numer firmy |
    organisation number, org number, company number, company no, registration number`,
  email: `e-post, epost, mejl, mail, e-postadress | e-mail, mail, e-mailadresse |
    e-post, epost, e-postadresse | sähköposti, sähköpostiosoite, email |
    e-mail, email, e-mail-adresse, mailadresse | e-mail, e-mailadres |
    courriel, e-mail, adresse e-mail, mél | correo, correo electrónico, email |
    e-mail, posta elettronica, indirizzo e-mail | e-mail, adres e-mail, poczta |
    e-mail, email, e-mail address, mail`,
  mobile: `mobil, mobilnummer, mobiltelefon, telefon, tel | mobil, mobilnummer, telefon, tlf |
    mobil, mobilnummer, telefon, tlf | matkapuhelin, puhelin, puhelinnumero, gsm |
    handy, mobil, handynummer, mobilnummer, telefon | mobiel, mobiel nummer, gsm, telefoon |
    portable, mobile, téléphone, téléphone portable, tél | móvil, teléfono, teléfono móvil |
    cellulare, telefono, numero di cellulare | komórka, telefon, telefon komórkowy, nr telefonu |
    mobile, mobile number, mobile no, mobile phone, phone, phone number, cell`,
  country: `land, landskod | land, landekode | land, landkode | maa, maakoodi | land, ländercode |
    land, landcode | pays, code pays | país, código de país | paese, nazione, stato |
    kraj, kod kraju | country, country code`,
  title: `titel, avtal, avtalsnamn, rubrik | titel, aftale | tittel, avtale | otsikko, sopimus |
    titel, vertrag, bezeichnung | titel, overeenkomst | titre, contrat | título, contrato |
    titolo, contratto | tytuł, umowa | title, agreement, subject, contract`,
  expires: `sista dag, giltig till, löper ut, svara senast | udløber, frist | utløper, frist |
    vanhenee, määräaika, viimeinen päivä | ablauf, frist, gültig bis | verloopt, vervaldatum |
    expire le, date limite, échéance | caduca, vencimiento, fecha límite | scadenza, scade |
    termin, ważne do, wygasa | expires, expiry, expires on, deadline, valid until`,
  order: `ordning, signeringsordning | rækkefølge | rekkefølge | järjestys | reihenfolge |
    volgorde | ordre | orden | ordine | kolejność | order, signing order`,
};

/** Maximum compared length: headers that differ only after it are treated as equal. */
const MAX_HEADER_LENGTH = 1000;

/**
 * Key for comparing headers, without case, accents, spaces and punctuation. To a user, two headers
 * with the same key are the same.
 */
export function headerKey(header: string): string {
  return headOf(header, MAX_HEADER_LENGTH)
    .replaceAll(EXCESS_COMBINING_MARKS, '')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ł', 'l')
    .replaceAll('ø', 'o')
    .replaceAll('æ', 'ae')
    .replaceAll('ß', 'ss')
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** Key of a spreadsheet's set of columns, regardless of their order. */
export function headerSetKey(headers: readonly string[]): string {
  return headers.map(headerKey).toSorted().join('\n');
}

let cachedKindsByWord: ReadonlyMap<string, ColumnKind> | null = null;

/** Kind for each word; created when the first spreadsheet is read. */
const kindsByWord = (): ReadonlyMap<string, ColumnKind> =>
  (cachedKindsByWord ??= new Map(
    columnKinds
      .toReversed()
      .flatMap((kind) =>
        wordsByKind[kind].split(/[,|]/).map((word) => [headerKey(word), kind] as const),
      ),
  ));

/** Meaning of a header, and its party: `E-post 2` is the second party's email. */
export interface HeaderMeaning {
  readonly kind: ColumnKind;
  /** Number of the party, from 1. */
  readonly party: number;
}

const PARTY_NUMBER_PATTERN = /^(.*?)(\d)$/;

/** Returns the meaning of a header; null if its word is unknown in all eleven languages. */
export function kindOfHeader(header: string): HeaderMeaning | null {
  const key = headerKey(header);
  const known = kindsByWord();
  const whole = known.get(key);
  if (whole !== undefined) return { kind: whole, party: 1 };
  const [, stem = '', number = ''] = PARTY_NUMBER_PATTERN.exec(key) ?? [];
  const kind = known.get(stem);
  return kind === undefined || number === '0' ? null : { kind, party: Number(number) };
}
