import { columnWords } from './days/columns.ts'
import { placeWords } from './days/places.ts'
import { dayPlanWords } from './days/plans.ts'

export const dayWords = { ...columnWords, ...dayPlanWords, ...placeWords } as const
