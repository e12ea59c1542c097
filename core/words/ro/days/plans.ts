import type { dayPlanWords as english } from '../../en/days/plans.ts'
import type { Translation } from '../../say.ts'

export const dayPlanWords = {
  optimiseAllTitle: 'Optimizează traseele: {day}',
  optimisedOf: 'Trasee calculate: {done} din {all}',
  applyingOf: 'Trasee salvate: {done} din {all}',
  tasksOfRoute: 'Comenzi',
  allRoutes: 'Toate traseele',
  routesOptimised: { one: '{n} traseu optimizat', few: '{n} trasee optimizate', other: '{n} de trasee optimizate' },
  routesRefused: {
    one: '{n} traseu nu a putut fi optimizat',
    few: '{n} trasee nu au putut fi optimizate',
    other: '{n} de trasee nu au putut fi optimizate',
  },
  routesUnknown: 'Nu se știe dacă ultimele trasee au fost salvate',
  noRoutes: 'Nimic de planificat',
  noRoutesLead: 'Niciun șofer nu are comenzi deschise în această zi.',

  unavailableTitle: 'Șofer indisponibil: {name}',
  unavailableLead: 'Retrage comenzile șoferului și îl scoate din tură.',
  unavailableThrough: 'Până la, inclusiv',
  unavailableTakes: {
    one: '{n} comandă devine neatribuită',
    few: '{n} comenzi devin neatribuite',
    other: '{n} de comenzi devin neatribuite',
  },
  unavailableKeeps: {
    one: '{n} comandă pentru o zi ulterioară rămâne',
    few: '{n} comenzi pentru zile ulterioare rămân',
    other: '{n} de comenzi pentru zile ulterioare rămân',
  },
  unavailableConflicts: {
    one: '{n} comandă cu un conflict nerezolvat rămâne la șofer până la rezolvare: {awbs}',
    few: '{n} comenzi cu conflicte nerezolvate rămân la șofer până la rezolvare: {awbs}',
    other: '{n} de comenzi cu conflicte nerezolvate rămân la șofer până la rezolvare: {awbs}',
  },
  inTransitNow: 'Pe drum: {awbs}',
  inTransitKeep: 'O termină șoferul',
  inTransitTake: 'Retrage-o și pe aceasta',
  noteAbsence: 'Notează absența',
  noteAbsenceHint: 'Până atunci șoferul nu este planificat.',
  absenceReason: 'Motiv (opțional)',
  unavailableAction: 'Retrage și scoate din tură',
  unavailableDone: {
    one: '{name} nu mai este în tură · {n} comandă retrasă',
    few: '{name} nu mai este în tură · {n} comenzi retrase',
    other: '{name} nu mai este în tură · {n} de comenzi retrase',
  },

  absences: 'Absențe',
  absencesOf: 'Absențe: {name}',
  absencesLead: 'În aceste zile {name} nu intră în planificare.',
  noAbsences: 'Nicio absență',
  noAbsencesLead: 'Concediile și zilele de boală pe care le adaugi apar aici.',
  absenceFrom: 'De la',
  absenceTo: 'Până la, inclusiv',
  addAbsence: 'Adaugă absența',
  absenceAdded: 'Absență adăugată',
  absenceDeleted: 'Absență ștearsă',
  deleteAbsenceOf: 'Șterge absența {days}',

  openingHours: 'Program de lucru',
  openingHoursHint:
    'Șoferii fără tură proprie lucrează în acest program: îl folosesc planificarea, cronologia și aplicația. Nicio zi bifată: oricând.',
  shiftHours: 'Program',
  sameEveryDay: 'Același în fiecare zi',
  byWeekday: 'Pe zile ale săptămânii',
  shiftStartOn: '{day}: început',
  shiftEndOn: '{day}: sfârșit',
} as const satisfies Translation<typeof english>
