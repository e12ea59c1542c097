import { createNews } from '../../../phone/news.ts'
import type { News } from '../../../phone/ports.ts'

const here = createNews()
const others = 'BroadcastChannel' in window ? new BroadcastChannel('waybill-driver') : undefined
if (others) others.onmessage = here.tell

/** Tells the parts of the app, in this tab and others, that what is stored has changed. */
export const news: News = {
  tell() {
    here.tell()
    others?.postMessage('changed')
  },
  on: here.on,
}
