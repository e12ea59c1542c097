import { messageWords, pickupTexts, standardTexts } from './server/messages.ts'
import { pageWords } from './server/pages.ts'
import { printingWords } from './server/printing.ts'
import { proofWords } from './server/proof.ts'
import { trackingWords } from './server/tracking.ts'

export const en = {
  pages: pageWords,
  tracking: trackingWords,
  proof: proofWords,
  printing: printingWords,
  messages: messageWords,
  standardTexts,
  pickupTexts,
}
