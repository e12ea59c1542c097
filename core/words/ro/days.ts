import { placeWords } from './days/places.ts'
import { dayPlanWords } from './days/plans.ts'

export const dayWords = { ...dayPlanWords, ...placeWords } as const
