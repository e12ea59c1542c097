import { placeWords } from './days/places.ts'
import { dayPlanWords } from './days/plans.ts'

/** What is said about other days: shifts of weekdays, absences, all routes at once; places in a route, and undo. Loaded when one of these is opened. */
export const dayWords = { ...dayPlanWords, ...placeWords } as const
