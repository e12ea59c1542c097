import { isEveryInterface } from '../core/web-address.ts'
import type { Config } from '../server/config.ts'
import { version } from '../server/config.ts'
import type { Server } from '../server/main.ts'
import { linkTo, type MadeLink } from '../server/people/actions.ts'

/**
 * Shown when the server is ready. The key and the link are shown only at the first start. `problem` says why there is
 * no console, if there is none.
 */
export function banner(
  config: Config,
  { url, firstKey, firstLink }: Pick<Server, 'url' | 'firstKey' | 'firstLink'>,
  tookMs: number,
  problem: string | undefined,
): string {
  const address = config.publicUrl ?? url
  const lines = [
    `Waybill ${version} is ready at ${address}  (${(tookMs / 1000).toFixed(1)} s)`,
    `API reference: ${address}/docs`,
  ]
  if (isEveryInterface(config.host) && !config.publicUrl)
    lines.push('Set WAYBILL_PUBLIC_URL to the name or address of this machine, so that links work for others.')
  if (problem) lines.push('', `${problem}. The API works without it.`)
  if (firstKey && firstLink) lines.push('', ...firstSteps(config, address, firstKey, firstLink))
  return `\n${lines.map((line) => `  ${line}`.trimEnd()).join('\n')}\n`
}

function firstSteps(config: Config, address: string, firstKey: string, firstLink: MadeLink): string[] {
  const shown = config.first.key ? '$WAYBILL_API_KEY' : firstKey
  const key = config.first.key ? 'Key: from WAYBILL_API_KEY' : `Key (shown only once): ${firstKey}`
  return [
    `Organisation: ${config.first.organisation}`,
    key,
    `Sign-in link (works once, for 24 hours): ${linkTo(address, firstLink)}`,
    '',
    'Create a task:',
    '',
    `curl ${address}/api/v1/tasks -H "Authorization: ${shown}" -H "Content-Type: application/json" \\`,
    `  -d '{"address": {"address": "Strada Lipscani 12, București"}, "customer": {"name": "Ana", "phone": "0712 345 678"}}'`,
  ]
}
