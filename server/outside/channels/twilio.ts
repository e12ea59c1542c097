import type { Answer, Outside } from '../fetch.ts'
import type { Channel } from './channel.ts'
import { requestOnce } from './request.ts'

/* Twilio's Message resource: https://www.twilio.com/docs/messaging/api/message-resource */

export interface TwilioOptions {
  url: string
  accountSid: string
  authToken: string
  /** A number, a name, or the id of a messaging service (MG…). An organisation with a sender of its own uses that. */
  from: string
  timeoutMs: number
}

/** Errors that stay however often it is tried: no such number, not a mobile one, unsubscribed, not reachable from here. */
const finalCodes = [21211, 21214, 21217, 21408, 21610, 21612, 21614]

export function createTwilio(outside: Outside, options: TwilioOptions): Channel {
  const { url, accountSid, authToken, from, timeoutMs } = options
  const authorization = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`
  return {
    send({ to, text, sender }, signal) {
      const whom = sender ?? from
      const given = new URLSearchParams({ To: to, Body: text })
      given.set(/^MG[0-9a-f]{32}$/.test(whom) ? 'MessagingServiceSid' : 'From', whom)
      const request = {
        method: 'POST' as const,
        url: `${url}/2010-04-01/Accounts/${accountSid}/Messages.json`,
        headers: { authorization, 'content-type': 'application/x-www-form-urlencoded' },
        body: given.toString(),
        timeoutMs,
        signal,
      }
      return requestOnce(outside, request, () => ({ outcome: 'sent' }), explain)
    },
  }
}

/** Twilio says what is wrong, without secrets. */
function explain({ status, body }: Answer): { error?: string; isFinal?: true } {
  try {
    const { code, message } = JSON.parse(body) as { code?: unknown; message?: unknown }
    if (typeof code !== 'number' || typeof message !== 'string') return {}
    const error = `Twilio answered ${status}, ${code}: ${message.slice(0, 200)}`
    return { error, ...(finalCodes.includes(code) && { isFinal: true as const }) }
  } catch {
    return {}
  }
}
