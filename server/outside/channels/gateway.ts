import { fillTemplate, type GatewayTemplate } from '../../../core/message-rules/gateway.ts'
import type { Outside } from '../fetch.ts'
import type { Channel } from './channel.ts'
import { requestOnce } from './request.ts'

/** Any SMS provider with an HTTP interface, as the operator's template describes it. */
export const createGateway = (outside: Outside, template: GatewayTemplate): Channel => ({
  send({ id, to, text, sender }, signal) {
    const request = fillTemplate(template, { id, to, text, from: sender ?? '' })
    return requestOnce(outside, { ...request, timeoutMs: template.timeoutMs, signal }, ({ body }) =>
      !template.accepted || template.accepted.test(body)
        ? { outcome: 'sent' }
        : { outcome: 'refused', error: 'The provider did not accept the message' },
    )
  },
})
