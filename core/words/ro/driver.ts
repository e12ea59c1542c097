import { loadWords } from './driver/load.ts'
import { phoneWords } from './driver/phone.ts'
import { screenWords } from './driver/screens.ts'
import { errorWords } from './errors.ts'
import { sharedWords } from './shared.ts'

export const driverWords = {
  ...sharedWords,
  ...errorWords,
  ...phoneWords,
  ...screenWords,
  ...loadWords,
} as const
