import type { Config } from '../server/config.ts'
import { version } from '../server/config.ts'
import type { Server } from '../server/main.ts'

/** What a person sees when the server is up. The key is shown at the first start and never again. */
export function banner(config: Config, { url, firstKey }: Server, tookMs: number): string {
  const address = config.publicUrl ?? url
  const lines = [
    `Waybill ${version} is ready at ${address}  (${(tookMs / 1000).toFixed(1)} s)`,
    `API reference: ${address}/docs`,
  ]
  if (firstKey) lines.push('', ...firstSteps(config, address, firstKey))
  return `\n${lines.map((line) => `  ${line}`.trimEnd()).join('\n')}\n`
}

function firstSteps(config: Config, address: string, firstKey: string): string[] {
  const shown = config.first.key ? '$WAYBILL_API_KEY' : firstKey
  const key = config.first.key ? 'Key: the one in WAYBILL_API_KEY' : `Key (shown only now): ${firstKey}`
  return [
    `Organisation: ${config.first.organisation}`,
    key,
    '',
    'Create a task:',
    '',
    `curl ${address}/api/v1/tasks -H "Authorization: ${shown}" -H "Content-Type: application/json" \\`,
    `  -d '{"address": {"address": "Strada Lipscani 12, București"}, "customer": {"name": "Ana", "phone": "0712 345 678"}}'`,
  ]
}
