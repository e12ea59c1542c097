import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Operation } from '../../../contract/operations.ts'
import type { Log } from '../../log.ts'
import { logFailure, refusalFrom } from '../errors.ts'
import { isForm } from '../requests/body.ts'
import { showRefusal } from './refusals.ts'

/* Pages without script: people get pages, also instead of a file, and a form leads back to the page it is on. */

type Answer = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

/**
 * An operation that shows a page or takes a form answers refusals as pages, too, and so does one that saves a file for people
 * with a link; the others stay as they are.
 */
export function forBrowsers({ page, formOf, access, download }: Operation, log: Log, answer: Answer): Answer {
  const isSaved = access === 'anybody' && download?.includes('application/pdf')
  if (!page && !formOf && !isSaved) return answer
  return async (request, reply) => {
    const wantsPage = page || isForm(request) || (isSaved && request.headers.accept?.includes('text/html'))
    if (!wantsPage) return answer(request, reply)
    const back = formOf?.replace(/:(\w+)/g, (_, name) =>
      encodeURIComponent((request.params as Record<string, string>)[name] ?? ''),
    )
    try {
      const answered = await answer(request, reply)
      return back ? reply.redirect(back, 303) : answered
    } catch (error) {
      const refusal = refusalFrom(error)
      logFailure(error, refusal, request, log)
      const { status, code } = refusal
      // The page the form is on says what was wrong, unless there is no such page.
      const canSay = back && status < 500 && status !== 404 && status !== 429
      return canSay ? reply.redirect(`${back}?refused=${code}`, 303) : showRefusal(refusal, request, reply)
    }
  }
}
