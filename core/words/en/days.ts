import { dayPlanWords } from './days/plans.ts'

/** What is said about other days: shifts of weekdays, absences, all routes at once. Loaded when one of these is opened. */
export const dayWords = { ...dayPlanWords } as const
