import { dayPlanWords } from './days/plans.ts'

export const dayWords = { ...dayPlanWords } as const
