import { CalendarOff, QrCode, Smartphone, Truck } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { boundsOf } from '../../../../core/shift-bounds.ts'
import { type Driver, useCompany, useDrivers } from '../../../api/data.ts'
import { useMay } from '../../../api/session.ts'
import { useFormats } from '../../../api/time.ts'
import { today as todayIn } from '../../../tasks/day.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { IconButton } from '../../../ui/button.tsx'
import { EditOrDelete } from '../../../ui/row-menu.tsx'
import { useSpeech } from '../../../words/console.ts'
import { useLaterSay } from '../../../words/later.ts'
import { useAbsent } from '../../day/absent.ts'
import { RunSheetLink } from '../../day/run-sheet.tsx'
import { SilentMark } from '../../day/silent-mark.tsx'
import { useAsked } from '../asked.ts'
import { ListPage } from '../list-page.tsx'
import { AbsencesDialog } from './absences-dialog.tsx'
import { ActiveSwitch } from './active-switch.tsx'
import { DeleteDriver } from './delete-driver.tsx'
import { DevicesDialog } from './devices-dialog.tsx'
import { DriverApp, useAllDevices } from './driver-app.tsx'
import { DriverForm } from './driver-form.tsx'
import { DutySwitch } from './duty-switch.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { describeWeek, weekdayName } from './week.ts'

type Open = { what: 'new' } | { what: 'edit' | 'invite' | 'devices' | 'absences' | 'delete'; driver: Driver }

const span = (from: string | null, to: string | null) => (from && to ? `${from}–${to}` : '')
/** Their own, by day of the week or the same every day. */
const shiftOf = ({ startShiftTime, endShiftTime, shiftTimes }: Driver, language: string) => {
  if (shiftTimes.length > 0) return describeWeek(shiftTimes, (day) => weekdayName(language, day, 'short'))
  const bounds = boundsOf({ start: startShiftTime, end: endShiftTime })
  return bounds ? span(bounds.start, bounds.end) : ''
}

export default function DriversPage() {
  const say = useLaterSay('days')
  const { language } = useSpeech()
  const { timeZone } = useFormats()
  const absent = useAbsent(todayIn(timeZone))
  const may = useMay()
  const drivers = useDrivers({ refetchInterval: 60_000 })
  const devices = useAllDevices()
  const { asked, goBack } = useAsked()
  const [open, setOpen] = useState<Open | undefined>(asked === 'new' ? { what: 'new' } : undefined)
  const close = () => {
    setOpen(undefined)
    goBack()
  }
  const isInvited = useRef(asked !== 'invite')
  const first = drivers.data?.find(({ active }) => active)
  useEffect(() => {
    if (isInvited.current || !first) return
    isInvited.current = true
    setOpen({ what: 'invite', driver: first })
  }, [first])
  const row = (driver: Driver) => ({
    key: driver.id,
    cells: [
      <span key="name" className="flex items-center gap-2">
        <Avatar name={driver.name} path={driver.avatar} />
        {driver.name}
      </span>,
      driver.phone,
      say.known(`transport${driver.driverTransportationId}`) ?? '',
      driver.driverTeams.map(({ name }) => name).join(', '),
      shiftOf(driver, language) || <OpenHours key="shift" language={language} />,
      span(driver.lunchBreakStart, driver.lunchBreakEnd),
      <span key="duty" className="flex items-center gap-1">
        {driver.active ? <DutySwitch driver={driver} /> : <span className="text-ink-soft">{say('inactive')}</span>}
        <SilentMark driver={driver} />
        {absent.has(driver.id) && <span className="text-waiting">{say('absentThen')}</span>}
      </span>,
      <span key="app" className="flex items-center gap-2">
        <ActiveSwitch driver={driver} />
        <DriverApp devices={devices?.filter(({ driverId }) => driverId === driver.id)} />
      </span>,
    ],
    menu: (
      <>
        <RunSheetLink driver={driver} day={todayIn(timeZone)} compact />
        <IconButton
          label={say('devicesOf', { name: driver.name })}
          onClick={() => setOpen({ what: 'devices', driver })}
        >
          <Smartphone />
        </IconButton>
        <IconButton
          label={say('absencesOf', { name: driver.name })}
          onClick={() => setOpen({ what: 'absences', driver })}
        >
          <CalendarOff />
        </IconButton>
        {may('drivers:write') && (
          <>
            <IconButton
              label={`${say('invite')}: ${driver.name}`}
              disabled={!driver.active}
              onClick={() => setOpen({ what: 'invite', driver })}
            >
              <QrCode />
            </IconButton>
            <EditOrDelete
              name={driver.name}
              onEdit={() => setOpen({ what: 'edit', driver })}
              onDelete={() => setOpen({ what: 'delete', driver })}
            />
          </>
        )}
      </>
    ),
  })
  return (
    <ListPage
      title="drivers"
      lead="driversLead"
      none={{ picture: <Truck />, title: 'noDrivers', lead: 'noDriversLead' }}
      add={may('drivers:write') && { word: 'newDriver', go: () => setOpen({ what: 'new' }) }}
      query={drivers}
      columns={['name', 'phone', 'transport', 'teams', 'shift', 'lunch', 'state', 'driverApp']}
      row={row}
    >
      {open?.what === 'new' && <DriverForm onClose={close} />}
      {open?.what === 'edit' && <DriverForm driver={open.driver} onClose={close} />}
      {open?.what === 'invite' && <InviteDialog driver={open.driver} onClose={close} />}
      {open?.what === 'devices' && <DevicesDialog driver={open.driver} onClose={close} />}
      {open?.what === 'absences' && <AbsencesDialog driver={open.driver} onClose={close} />}
      {open?.what === 'delete' && <DeleteDriver driver={open.driver} onClose={close} />}
    </ListPage>
  )
}

/** Of a driver without a shift: when the organisation is open. */
function OpenHours({ language }: { language: string }) {
  const { data: company } = useCompany()
  const week = describeWeek(company?.shiftTimes ?? [], (day) => weekdayName(language, day, 'short'))
  return <span className="text-ink-faint">{week}</span>
}
