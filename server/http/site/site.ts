import type { FastifyInstance } from 'fastify'
import type { Service } from '../../context.ts'
import { mountMetrics } from './metrics.ts'
import { type Condition, mountProbes } from './probes.ts'
import { mountReference } from './reference.ts'

/** What is served besides the API: health and documentation. */
export function mountSite(app: FastifyInstance, service: Service, condition: Condition) {
  mountProbes(app, service, condition)
  mountMetrics(app, service)
  mountReference(app, service.config)
  mountSecurityText(app, service.config)
}

/** Whom to tell about a hole (RFC 9116). It must say until when it is true; each answer is good for a month. */
function mountSecurityText(app: FastifyInstance, { securityContact, publicUrl }: Service['config']) {
  if (!securityContact) return
  const path = '/.well-known/security.txt'
  app.get(path, (_, reply) => {
    const expires = new Date(Date.now() + 30 * 86_400_000).toISOString()
    const lines = [`Contact: ${securityContact}`, `Expires: ${expires}`, 'Preferred-Languages: en, ro']
    if (publicUrl) lines.push(`Canonical: ${publicUrl}${path}`)
    return reply.type('text/plain; charset=utf-8').send(`${lines.join('\n')}\n`)
  })
}
