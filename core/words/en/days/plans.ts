import type { Texts } from '../../say.ts'

/** The texts of shifts, absences, drivers who cannot go on, and of optimising all routes. */
export const dayPlanWords = {
  optimiseAllTitle: 'Optimise routes: {day}',
  optimisedOf: '{done} of {all} routes calculated',
  applyingOf: '{done} of {all} routes saved',
  tasksOfRoute: 'Tasks',
  allRoutes: 'All routes',
  routesOptimised: { one: '{n} route optimised', other: '{n} routes optimised' },
  routesRefused: { one: '{n} route could not be optimised', other: '{n} routes could not be optimised' },
  routesUnknown: 'It is not known whether the last routes were saved',
  noRoutes: 'Nothing to plan',
  noRoutesLead: 'No driver has open tasks on this day.',

  unavailableTitle: '{name} is unavailable',
  unavailableLead: 'Unassigns their tasks and switches them off duty.',
  unavailableThrough: 'Until and including',
  unavailableTakes: { one: '{n} task becomes unassigned', other: '{n} tasks become unassigned' },
  unavailableKeeps: { one: '{n} task for a later day stays', other: '{n} tasks for later days stay' },
  unavailableConflicts: {
    one: '{n} task with an open conflict stays until it is settled: {awbs}',
    other: '{n} tasks with open conflicts stay until they are settled: {awbs}',
  },
  inTransitNow: 'In transit: {awbs}',
  inTransitKeep: 'The driver finishes it',
  inTransitTake: 'Unassign it, too',
  noteAbsence: 'Note the absence',
  noteAbsenceHint: 'Plans leave the driver out until then.',
  absenceReason: 'Reason (optional)',
  unavailableAction: 'Unassign and switch off duty',
  unavailableDone: {
    one: '{name} is off duty · {n} task unassigned',
    other: '{name} is off duty · {n} tasks unassigned',
  },

  absences: 'Absences',
  absencesOf: 'Absences: {name}',
  absencesLead: 'On these days plans leave {name} out.',
  noAbsences: 'No absences',
  noAbsencesLead: 'Holidays and sick days that you add appear here.',
  absenceFrom: 'From',
  absenceTo: 'Until and including',
  addAbsence: 'Add absence',
  absenceAdded: 'Absence added',
  absenceDeleted: 'Absence deleted',
  deleteAbsenceOf: 'Delete the absence {days}',

  openingHours: 'Opening hours',
  openingHoursHint:
    'Drivers without a shift of their own work during these hours: plans, the timeline and the app use them. No day ticked: any time.',
  shiftHours: 'Working hours',
  sameEveryDay: 'The same every day',
  byWeekday: 'By day of the week',
  shiftStartOn: '{day}: start',
  shiftEndOn: '{day}: end',
} as const satisfies Texts
