import { columnWords } from './days/columns.ts'
import { placeWords } from './days/places.ts'
import { dayPlanWords } from './days/plans.ts'

/** What is said about other days: shifts of weekdays, absences, all routes at once; places in a route, undo, and the columns of the table. Loaded when one of these is opened. */
export const dayWords = { ...columnWords, ...dayPlanWords, ...placeWords } as const
