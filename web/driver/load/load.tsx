import { Check, CircleCheck, CircleX, CloudUpload, PackageX, ScanBarcode, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import type { LoadedParcel, SeenLoad } from '../../../phone/load.ts'
import { shortAddress } from '../../tasks/address.ts'
import { StatusBadge } from '../../tasks/status.tsx'
import { join } from '../../ui/class-names.ts'
import { useSay } from '../../words/driver.ts'
import { useDay, useDriverFormats } from '../looks/day.ts'
import { Bar, BigButton, Card, Foot, plainButton, Screen } from '../looks/parts.tsx'
import { screens } from '../looks/screen.ts'
import { SyncStatus } from '../looks/sync-status.tsx'
import { useLoad } from '../looks/use-load.ts'
import { phone } from '../outbox/phone.ts'
import { LoadSheet } from './load-sheet.tsx'
import { useForeignText } from './texts.ts'

/** What goes into the vehicle before the driver leaves, the last stop first, and what must come out of it. */
export function LoadScreen() {
  const say = useSay()
  const load = useLoad()
  const [scans, setScans] = useState(false)
  return (
    <Screen
      head={<Bar title={say('loadTitle')} back={screens.route} line={<SyncStatus inBar />} />}
      foot={
        <Foot>
          <BigButton Icon={ScanBarcode} onClick={() => setScans(true)}>
            {say('loadScan')}
          </BigButton>
        </Foot>
      }
      keepsScroll="load"
    >
      <div className="flex flex-col gap-3 p-3">
        <Summary load={load} />
        <ForeignParcels foreign={load.foreign} />
        <AskedCodes codes={load.asked} />
        {load.stops.length > 0 && <p className="px-1 text-ink-soft">{say('loadLead')}</p>}
        {load.stops.map((parcels) => (
          <LoadStop key={parcels[0]?.task.id} parcels={parcels} />
        ))}
      </div>
      {scans && <LoadSheet onClose={() => setScans(false)} />}
    </Screen>
  )
}

const line = 'flex items-center gap-2 font-semibold'

/** Green only if nothing says otherwise. */
function Summary({ load }: { load: SeenLoad }) {
  const say = useSay()
  const { isReachable, isUnreadable } = useDay()
  const { expected, inVehicle, missing, foreign, unsent, refused, isComplete } = load
  if (expected === 0 && !load.isInUse)
    return (
      <Card className="p-5 text-center">
        <p className="font-bold text-title">{say('loadNone')}</p>
        <p className="mt-1 text-ink-soft">{say('loadNoneLead')}</p>
      </Card>
    )
  const isSure = isReachable !== false && !isUnreadable
  return (
    <Card role="status" className="flex flex-col gap-1 p-4">
      <p className="numbers font-bold text-title">{say('loadedOf', { loaded: inVehicle, expected })}</p>
      {isComplete && (
        <p className={join(line, isSure && 'text-good')}>
          <CircleCheck aria-hidden className="size-5 shrink-0" />
          {say('loadAll')}
        </p>
      )}
      {missing > 0 && (
        <p className={`${line} text-waiting`}>
          <TriangleAlert aria-hidden className="size-5 shrink-0" />
          {say('loadMissing', { n: missing })}
        </p>
      )}
      {foreign.length > 0 && (
        <p className={`${line} text-bad`}>
          <PackageX aria-hidden className="size-5 shrink-0" />
          {say('loadForeign', { n: foreign.length })}
        </p>
      )}
      {unsent > 0 && (
        <p className={`${line} text-ink-soft`}>
          <CloudUpload aria-hidden className="size-5 shrink-0" />
          {say('loadUnsent', { n: unsent })}
        </p>
      )}
      {refused > 0 && (
        <a href={screens.waiting} className={`${line} min-h-12 text-bad`}>
          <CircleX aria-hidden className="size-5 shrink-0" />
          {say('loadRefused', { n: refused })}
        </a>
      )}
    </Card>
  )
}

function ForeignParcels({ foreign }: Pick<SeenLoad, 'foreign'>) {
  const say = useSay()
  const textOf = useForeignText()
  if (foreign.length === 0) return null
  return (
    <section aria-labelledby="foreign" className="flex flex-col gap-1.5">
      <h2 id="foreign" className="px-1 font-semibold">
        {say('loadOut')}
      </h2>
      <p className="px-1 text-ink-soft">{say('loadOutLead')}</p>
      <Card>
        <ul>
          {foreign.map((one) => (
            <li
              key={one.code}
              className="flex flex-wrap items-center justify-end gap-3 border-line p-3 not-first:border-t"
            >
              <span className="min-w-0 flex-1 basis-[9rem]">
                <span className="block break-words font-semibold text-large">{one.code}</span>
                <span className="block font-semibold text-bad">{textOf(one)}</span>
              </span>
              {!one.isWaiting && (
                <button type="button" className={plainButton} onClick={() => void phone.dismissForeign(one.code)}>
                  {say('loadTakenOut')}
                </button>
              )}
            </li>
          ))}
        </ul>
      </Card>
    </section>
  )
}

function AskedCodes({ codes }: { codes: readonly string[] }) {
  const say = useSay()
  if (codes.length === 0) return null
  return (
    <section aria-labelledby="asked" className="flex flex-col gap-1.5">
      <h2 id="asked" className="px-1 font-semibold">
        {say('loadAsked')}
      </h2>
      <p className="px-1 text-ink-soft">{say('loadAskedLead')}</p>
      <Card className="break-words px-4 py-3 font-semibold text-large">{codes.join(', ')}</Card>
    </section>
  )
}

/** The parcels of one stop; what has ended has no place in the vehicle any more. */
function LoadStop({ parcels }: { parcels: readonly LoadedParcel[] }) {
  const say = useSay()
  const [first] = parcels
  if (!first) return null
  const { position, task } = first
  return (
    <Card>
      <div className="p-3">
        <p className="numbers flex flex-wrap justify-between gap-x-3 font-semibold text-ink-soft">
          <span>{position ? say('loadTurn', { load: position.load, of: position.of }) : say('loadEnded')}</span>
          {position && <span>{say('loadStop', { stop: position.stop })}</span>}
        </p>
        {position && <h2 className="font-bold text-large leading-tight">{shortAddress(task)}</h2>}
      </div>
      <ul>
        {parcels.map((parcel) => (
          <ParcelRow key={parcel.task.id} parcel={parcel} />
        ))}
      </ul>
    </Card>
  )
}

function ParcelRow({ parcel }: { parcel: LoadedParcel }) {
  const { task, position } = parcel
  return (
    <li className="border-line border-t">
      <a
        href={screens.task(task.id)}
        className="flex min-h-14 flex-wrap items-center justify-between gap-x-3 gap-y-1 p-3"
      >
        <span className="min-w-0 flex-1 basis-[8rem]">
          <span className="block break-words font-semibold text-large leading-tight">{task.awb}</span>
          <span className="block break-words text-ink-soft">{task.customer?.name}</span>
        </span>
        {position ? <Where parcel={parcel} /> : <StatusBadge statusId={task.statusId} />}
      </a>
    </li>
  )
}

function Where({ parcel: { task, missing } }: { parcel: LoadedParcel }) {
  const say = useSay()
  const formats = useDriverFormats()
  if (task.loadedAt !== null)
    return (
      <span className="numbers inline-flex items-center gap-1 font-semibold">
        <Check aria-hidden className="size-5 shrink-0" />
        {say('loadedAt', { time: formats.time(task.loadedAt) })}
      </span>
    )
  if (!missing) return <span className="text-ink-soft">{say('loadNotScanned')}</span>
  return (
    <span className="font-semibold text-waiting">
      {[say('loadNotIn'), ...(task.atHubAt ? [say('loadAtHub')] : [])].join(' · ')}
    </span>
  )
}
