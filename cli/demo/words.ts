import type { FormInput } from '../../contract/form.ts'

/* Names of people in the demo, and what they write. */

export const firstNames = [
  'Andrei',
  'Mihai',
  'Alexandru',
  'Ionuț',
  'Cristian',
  'Florin',
  'Gabriel',
  'Bogdan',
  'Radu',
  'Marius',
  'Vlad',
  'Ștefan',
  'Daniel',
  'Adrian',
  'Cătălin',
  'Răzvan',
  'Sorin',
  'Lucian',
  'Dragoș',
  'Valentin',
  'Cosmin',
  'Tudor',
  'Elena',
  'Maria',
  'Ioana',
  'Andreea',
  'Mihaela',
  'Cristina',
  'Raluca',
  'Simona',
  'Diana',
  'Alina',
  'Roxana',
  'Ana',
  'Gabriela',
  'Laura',
  'Oana',
  'Irina',
  'Monica',
  'Georgiana',
  'Anca',
  'Bianca',
  'Corina',
  'Larisa',
]

export const lastNames = [
  'Popescu',
  'Ionescu',
  'Popa',
  'Stan',
  'Dumitru',
  'Stoica',
  'Gheorghe',
  'Matei',
  'Ciobanu',
  'Rusu',
  'Munteanu',
  'Constantin',
  'Marin',
  'Lazăr',
  'Florea',
  'Dobre',
  'Barbu',
  'Nistor',
  'Tudose',
  'Neagu',
  'Ene',
  'Cristea',
  'Manole',
  'Văduva',
  'Toma',
  'Sandu',
  'Preda',
  'Mocanu',
  'Ilie',
  'Voicu',
  'Bălan',
  'Chiriță',
  'Țurcanu',
  'Șerban',
  'Dinu',
  'Enache',
  'Badea',
  'Zamfir',
  'Ungureanu',
  'Drăgan',
  'Apostol',
  'Petrescu',
  'Mihăilescu',
]

export const companies = [
  'Librăria Foișor',
  'Cofetăria Vanilia',
  'Farmacia Sănătății',
  'Atelierul de Ceramică',
  'Cabinet Dr. Marinescu',
  'Florăria Iris',
  'Service Telefoane Obor',
  'Birou Notarial Dinu',
  'Restaurant Hanul Vechi',
  'Optica Lumina',
]

export const parcels = [
  'Colet mic, 2 kg',
  'Colet mediu, 6 kg',
  'Plic cu documente',
  'Comandă electronice',
  'Flori, a se ține drept',
  'Produse farmaceutice, la rece',
  'Piese auto',
  'Cărți, 3 volume',
  'Haine, retur posibil',
  'Mobilier demontat',
  'Cumpărături, 4 sacoșe',
  'Imprimantă',
  'Vin, 6 sticle',
  'Hrană pentru animale, 12 kg',
  'Tablou înrămat',
]

export const pickups = [
  'Ridicare retur',
  'Ridicare marfă din depozit',
  'Ridicare documente semnate',
  'Ridicare la service',
]

export const wishes = [
  'Sunați înainte cu 10 minute',
  'Interfon 24',
  'Lăsați la recepție',
  'Etaj 4, fără lift',
  'Câine în curte',
  'Intrarea prin spate',
  'Nu sunați, doarme copilul',
  'Plata cu cardul',
]

export const reasons = [
  'Clientul nu a răspuns la telefon',
  'Adresă greșită',
  'Clientul a refuzat coletul',
  'Colet deteriorat',
  'Reprogramat la cererea clientului',
  'Nimeni acasă',
]

export const remarks = [
  'Lăsat la recepție',
  'Predat vecinului de la 12',
  'Interfonul nu funcționează, a coborât clientul',
  'Predat în mână',
  'Clientul a verificat coletul',
  'Parcare greu de găsit',
]

type Feedback = readonly [rating: number, comment: string]

/** What customers say about a delivery, and about one that failed. */
export const praise: readonly Feedback[] = [
  [5, 'Foarte amabil, a sunat înainte.'],
  [5, 'A venit la timp.'],
  [5, 'Rapid și politicos, mulțumesc!'],
  [4, 'Totul bine, doar că a durat puțin până a găsit scara.'],
  [4, 'Coletul a ajuns în stare bună.'],
  [3, 'A venit la sfârșitul intervalului.'],
  [2, 'Cutia era lovită la un colț.'],
]
export const blame: readonly Feedback[] = [
  [1, 'Am fost acasă toată ziua și nu a sunat nimeni.'],
  [2, 'Curierul nu a găsit adresa, deși interfonul funcționează.'],
  [3, 'Nu am putut fi acasă, dar curierul m-a sunat.'],
]

/** What drivers ask when they hand something over. */
export const form: FormInput = {
  name: 'Predare cu verificare',
  fields: [
    {
      field_key: 'stare',
      label: 'Starea coletului',
      labels: { en: 'Condition of the parcel' },
      type: 'choice',
      choices: ['Intact', 'Ușor deteriorat', 'Desfăcut'],
      required: true,
    },
    { field_key: 'primit_de', label: 'Primit de', labels: { en: 'Received by' }, type: 'text', required: true },
    { field_key: 'act', label: 'Act de identitate verificat', labels: { en: 'ID checked' }, type: 'check' },
  ],
}
