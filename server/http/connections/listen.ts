import type { FastifyInstance } from 'fastify'
import { openable } from '../../../core/web-address.ts'
import { type Config, ConfigError } from '../../config.ts'

type Place = Pick<Config, 'host' | 'port'>

const notOurs = ({ host }: Place) => `HOST must be an address or a name of this machine; "${host}" is not`

/** Explains the system's error when we cannot listen there. */
const complaints: Record<string, (place: Place) => string> = {
  ENOTFOUND: notOurs,
  EAI_AGAIN: notOurs,
  EADDRNOTAVAIL: notOurs,
  EACCES: ({ port }) => `PORT must be one that this account may use, such as 4000; ${port} is not`,
}

/** Listens, and returns an address that can be opened. */
export async function listen(app: FastifyInstance, { host, port }: Place): Promise<string> {
  try {
    return openable(await app.listen({ host, port }))
  } catch (error) {
    const complain = complaints[String((error as NodeJS.ErrnoException).code)]
    throw complain ? new ConfigError(complain({ host, port }), { cause: error }) : error
  }
}
