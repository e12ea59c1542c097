import type { Tracking } from '../../contract/tracking.ts'
import type { Service } from '../context.ts'
import { acceptedLanguage } from '../http/requests/language.ts'
import type { Handlers } from '../http/route.ts'
import { giveFeedback } from './feedback.ts'
import { showFile } from './files.ts'
import { leaveInstructions } from './instructions.ts'
import { optOut } from './opt-out.ts'
import { readAssets } from './page/assets.ts'
import { renderPage } from './page/page.ts'
import { chooseAgain } from './reattempt.ts'
import { see } from './see.ts'
import { streamTracking } from './stream.ts'
import { getTracked } from './tracked.ts'

/** `pages` is the folder of the built pages, if they are. */
export function trackingRoutes({ config }: Service, pages: string | undefined) {
  const assets = readAssets(pages)
  return {
    async showTracking(context, { params, query, headers }) {
      const tracking: Tracking = await see(await getTracked(context, params.uuid))
      return renderPage({
        tracking,
        uuid: params.uuid,
        language: acceptedLanguage(headers['accept-language']),
        refused: query.refused,
        now: context.clock.now(),
        assets: await assets,
        mapHosts: config.map.ofCustomers.hosts,
      })
    },
    async getTracking(context, { params }) {
      return { tracking: await see(await getTracked(context, params.uuid)) }
    },
    async streamTracking(context, { params, reader }) {
      return streamTracking(await getTracked(context, params.uuid), reader)
    },
    async getTrackingFile(context, { params, query }) {
      return showFile(await getTracked(context, params.uuid, 'FILE_NOT_FOUND'), params, query.size)
    },
    async leaveInstructions(context, { params, body }) {
      await leaveInstructions(await getTracked(context, params.uuid), body)
      return {}
    },
    async optOut(context, { params, body }) {
      await optOut(await getTracked(context, params.uuid), body)
      return {}
    },
    async chooseAgain(context, { params, body }) {
      await chooseAgain(await getTracked(context, params.uuid), body)
      return {}
    },
    async giveFeedback(context, { params, body }) {
      await giveFeedback(await getTracked(context, params.uuid), body)
      return {}
    },
  } satisfies Partial<Handlers<{ id: number }>>
}
