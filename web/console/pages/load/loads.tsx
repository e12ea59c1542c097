import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { PackageCheck } from 'lucide-react'
import type { Answer } from '../../../../contract/operations.ts'
import { api } from '../../../api/client.ts'
import { keysOf } from '../../../api/data.ts'
import { Card } from '../../../ui/page.tsx'
import { EmptyState, Loaded } from '../../../ui/state.tsx'
import { useLaterSay } from '../../../words/later.ts'

type Loads = Answer<'listLoads'>
type Load = Loads['loads'][number]
type Scan = Loads['foreign'][number]

/** What every driver has to load today. Scans of other people show here as they happen; plans, within a minute. */
export function LoadsOfToday() {
  const say = useLaterSay('loading')
  const query = useQuery({
    queryKey: keysOf.scans,
    queryFn: () => api.listLoads({ query: {} }),
    refetchInterval: 60_000,
  })
  return (
    <Card title={say('loads')}>
      <Loaded query={query}>
        {({ loads, foreign }) =>
          loads.length === 0 && foreign.length === 0 ? (
            <EmptyState picture={<PackageCheck />} title={say('noLoads')}>
              {say('noLoadsLead')}
            </EmptyState>
          ) : (
            <ul>
              {loads.map((load) => (
                <DriverLoad key={load.driver.id} load={load} />
              ))}
              {foreign.length > 0 && (
                <li className="border-line px-4 py-3 not-first:border-t">
                  <h3 className="font-semibold">{say('foreignScans')}</h3>
                  <Foreign scans={foreign} />
                </li>
              )}
            </ul>
          )
        }
      </Loaded>
    </Card>
  )
}

function DriverLoad({ load }: { load: Load }) {
  const say = useLaterSay('loading')
  const { driver, expected, atHub, inVehicle, missing, parcels, foreign } = load
  return (
    <li className="border-line px-4 py-3 not-first:border-t">
      <div className="flex flex-wrap items-baseline gap-x-3">
        <h3 className="min-w-0 grow break-words font-semibold text-base">{driver.name}</h3>
        <span>{say('loadCount', { loaded: inVehicle, expected })}</span>
        <span className="text-ink-soft">{say('loadAtHub', { n: atHub })}</span>
      </div>
      <div aria-hidden className="my-2 h-2 overflow-hidden rounded-full bg-sunken">
        <div className="h-full bg-good" style={{ width: `${expected === 0 ? 0 : (100 * inVehicle) / expected}%` }} />
      </div>
      {/* What is on its way without a scan is not missing, but nobody saw it loaded. */}
      {missing === 0 && expected > 0 && inVehicle === expected && (
        <p className="font-medium text-good">{say('loadComplete')}</p>
      )}
      {missing > 0 && (
        <details>
          <summary className="cursor-pointer font-medium text-bad">{say('loadMissing', { n: missing })}</summary>
          <ul className="mt-1 grid gap-1">
            {parcels
              .filter((parcel) => parcel.missing)
              .map(({ id, awb, address, position }) => (
                <li key={id} className="flex flex-wrap gap-x-2">
                  <Link to="/" search={{ task: id }} className="break-all text-accent underline">
                    {awb}
                  </Link>
                  {position && <span className="text-ink-soft">{say('loadStop', { stop: position.stop })}</span>}
                  <span className="min-w-0 break-words">{address}</span>
                </li>
              ))}
          </ul>
        </details>
      )}
      {foreign.length > 0 && (
        <details>
          <summary className="cursor-pointer font-medium text-bad">{say('loadForeign', { n: foreign.length })}</summary>
          <Foreign scans={foreign} />
        </details>
      )}
    </li>
  )
}

function Foreign({ scans }: { scans: readonly Scan[] }) {
  const say = useLaterSay('loading')
  return (
    <ul className="mt-1 grid gap-1">
      {scans.map(({ id, code, awb, taskId, result }) => (
        <li key={id} className="flex flex-wrap gap-x-2">
          {taskId === null ? (
            <span className="break-all">{code}</span>
          ) : (
            <Link to="/" search={{ task: taskId }} className="break-all text-accent underline">
              {awb ?? code}
            </Link>
          )}
          <span className="text-ink-soft">{say(result === 'wrongDriver' ? 'loadElsewhere' : `loaded_${result}`)}</span>
        </li>
      ))}
    </ul>
  )
}
