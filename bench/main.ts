/* `npm run bench -- <name>`: measurements next to the limit of the machine, or another program, in one run. */

const benches: Record<string, () => Promise<{ run(args: string[]): Promise<void> }>> = {
  api: () => import('./api.ts'),
  peers: () => import('./peers.ts'),
  profile: () => import('./profile.ts'),
  growth: () => import('./growth.ts'),
  memory: () => import('./memory.ts'),
  charts: () => import('./charts.ts'),
  optimise: () => import('./optimise.ts'),
  sync: () => import('./sync.ts'),
  positions: () => import('./positions.ts'),
  planning: () => import('./planning.ts'),
  webhooks: () => import('./webhooks.ts'),
  map: () => import('./map.ts'),
  places: () => import('./places.ts'),
  roads: () => import('./roads.ts'),
  'road-plans': () => import('./road-plans.ts'),
  erasure: () => import('./erasure.ts'),
  reports: () => import('./reports.ts'),
  console: () => import('./console.ts'),
}

const [name = '', ...args] = process.argv.slice(2)
const load = benches[name]
if (load) await (await load()).run(args)
else {
  console.error(`Say which: npm run bench -- ${Object.keys(benches).join('|')}`)
  process.exitCode = 1
}
