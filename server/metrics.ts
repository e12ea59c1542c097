import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

export type Metrics = ReturnType<typeof createMetrics>

/** The service's own metrics, for Prometheus at /metrics. */
export function createMetrics() {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  return {
    registry,
    requestSeconds: new Histogram({
      name: 'waybill_request_seconds',
      help: 'How long requests took, by operation and status',
      labelNames: ['operation', 'status'],
      buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers: [registry],
    }),
    attempts: new Counter({
      name: 'waybill_webhook_attempts_total',
      help: 'Webhook attempts, by outcome',
      labelNames: ['outcome'],
      registers: [registry],
    }),
    messages: new Counter({
      name: 'waybill_messages_total',
      help: 'Messages to customers handed over, by channel and outcome',
      labelNames: ['channel', 'outcome'],
      registers: [registry],
    }),
    pushes: new Counter({
      name: 'waybill_pushes_total',
      help: 'Push messages to phones, by outcome',
      labelNames: ['outcome'],
      registers: [registry],
    }),
    streams: new Gauge({
      name: 'waybill_streams',
      help: 'Open event streams',
      registers: [registry],
    }),
    mapMissing: new Gauge({
      name: 'waybill_map_missing',
      help: '1 if this process has no copy of the imported map',
      registers: [registry],
    }),
    lookUps: new Counter({
      name: 'waybill_geocoding_total',
      help: 'Addresses looked up, by outcome',
      labelNames: ['outcome'],
      registers: [registry],
    }),
  }
}
