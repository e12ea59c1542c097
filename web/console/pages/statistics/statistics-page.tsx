import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ChartColumn, Printer } from 'lucide-react'
import { useState } from 'react'
import { taskGroups } from '../../../../contract/report.ts'
import { addDays, type DayRange, daysIn } from '../../../../core/day-range.ts'
import { dayOf } from '../../../../core/task-day.ts'
import { api } from '../../../api/client.ts'
import { useMay } from '../../../api/session.ts'
import { useFormats } from '../../../api/time.ts'
import { Button } from '../../../ui/button.tsx'
import { Card, Page } from '../../../ui/page.tsx'
import { EmptyState, ForbiddenState, NotLoaded, OldNotice } from '../../../ui/state.tsx'
import { useSay } from '../record-words.ts'
import { BarChart } from './bar-chart.tsx'
import { DaysChart } from './days-chart.tsx'
import { EtaAccuracy } from './eta-accuracy.tsx'
import { Feedback } from './feedback.tsx'
import { driverColumns, takenIn, takenParts, taskColumns } from './figure-columns.ts'
import { Figures } from './figures.tsx'
import { GroupCard } from './group-card.tsx'
import { RangeField } from './range-field.tsx'
import { SharesChart } from './shares-chart.tsx'
import { PaymentsTable } from './small-tables.tsx'
import { Speeds } from './speeds.tsx'

/** The numbers of some days, or of today so far. */
export default function StatisticsPage() {
  const say = useSay()
  const may = useMay()
  const { timeZone } = useFormats()
  const [chosen, setChosen] = useState<DayRange>()
  const today = dayOf(Date.now(), timeZone)
  const range = chosen ?? { from: today, to: today }
  if (!may('tasks:read')) return <ForbiddenState />
  return (
    <Page
      title={say('statistics')}
      lead={<span className="no-print">{say('statisticsLead')}</span>}
      actions={
        <>
          <RangeField range={range} today={today} onChange={setChosen} />
          <Button className="no-print" onClick={() => window.print()}>
            <Printer aria-hidden />
            {say('print')}
          </Button>
        </>
      }
    >
      <Numbers range={range} isOver={range.to < today} />
    </Page>
  )
}

const everyMs = 30_000
/** A year takes the database seconds. */
const seldomMs = 600_000
const mostDays = 62
const clock = (hour: number) => `${String(hour).padStart(2, '0')}:00`

/** Counted by the server, so that one day and many are counted alike. Of days that are over only once. */
function Numbers({ range, isOver }: { range: DayRange; isOver: boolean }) {
  const say = useSay()
  const formats = useFormats()
  const { from, to } = range
  const query = useQuery({
    queryKey: ['task-report', from, to],
    queryFn: () => api.getTaskReport({ query: { ...range, by: taskGroups.join(',') } }),
    refetchInterval: isOver ? false : daysIn(range) > mostDays ? seldomMs : everyMs,
    placeholderData: keepPreviousData,
  })
  const report = query.data
  if (!report) return <NotLoaded query={query} />
  const isOneDay = from === to
  if (report.tasks === 0 && takenParts.every(([part]) => report[part] === 0))
    return <EmptyState picture={<ChartColumn />} title={say(isOneDay ? 'noTasks' : 'noTasksInPeriod')} />
  const days = isOneDay ? from : `${from} ${to}`
  // Of more than two months the months are looked at: ninety rows of days say less.
  const over =
    daysIn(range) > mostDays
      ? {
          title: say('perMonth'),
          head: say('month'),
          rows: report.months.map((one) => ({ ...one, key: one.month, label: one.month })),
        }
      : {
          title: say('perDay'),
          head: say('day'),
          rows: report.days.map((one) => ({ ...one, key: one.day, label: formats.dayInWords(one.day, true) })),
        }
  const span = { from: `${from} 00:00`, to: `${addDays(to, 1)} 00:00` }
  return (
    // Never wider than the page: a wide table scrolls inside. While other days are on their way, the old ones are grey.
    <div aria-busy={query.isPlaceholderData} className="grid grid-cols-1 gap-4 aria-busy:opacity-50">
      <OldNotice query={query} />
      <Figures report={report} />
      {!isOneDay && (
        <Card title={over.title}>
          <SharesChart rows={over.rows} />
          <DaysChart name={over.title} head={over.head} days={over.rows} taken={takenIn(report)} />
        </Card>
      )}
      <Card title={say('perHour')}>
        <BarChart
          bars={fillHours(report.hours)}
          name={say('perHour')}
          picture={say('perHourPicture')}
          head={say('hour')}
          labelOf={({ hour }) => clock(hour)}
        />
      </Card>
      <GroupCard
        title={say('perDriver')}
        head="driverName"
        nameOf={({ name }) => name}
        nameless={say('statNoDriver')}
        keyOf={({ driverId }) => driverId ?? 0}
        columns={driverColumns(formats, report)}
        rows={report.drivers}
        total={{ ...report, driverId: null, name: null }}
        fileName={`${say('perDriver')} ${days}`}
        empty={say('nothingHere')}
      />
      <GroupCard
        title={say('teams')}
        head="team"
        nameOf={({ name }) => name}
        nameless={say('noTeam')}
        keyOf={({ teamId }) => teamId ?? 0}
        columns={taskColumns(formats, report)}
        rows={report.teams}
        fileName={`${say('teams')} ${days}`}
        empty={say('nothingHere')}
      />
      <GroupCard
        title={say('perCustomer')}
        head="customer"
        nameOf={({ name }) => name}
        nameless="–"
        keyOf={({ customerId }) => customerId}
        columns={taskColumns(formats, report)}
        rows={report.customers}
        fileName={`${say('perCustomer')} ${days}`}
        empty={say('nothingHere')}
      />
      <Card title={say('etaAccuracy')}>
        <EtaAccuracy span={span} isOver={isOver} />
      </Card>
      <Card title={say('speeds')}>
        <Speeds />
      </Card>
      <Card title={say('customerFeedback')}>
        <Feedback span={span} day={isOneDay ? from : undefined} isOver={isOver} />
      </Card>
      <div className="grid grid-cols-1 gap-4 md:grid-cols-2">
        <GroupCard
          title={say('failuresByReason')}
          head="statReason"
          nameOf={({ reason }) => reason || null}
          nameless={say('noReason')}
          keyOf={({ reason }) => reason}
          columns={[{ word: 'statCount', value: ({ count }) => count, show: ({ count }) => formats.number(count) }]}
          rows={report.reasons}
          fileName={`${say('failuresByReason')} ${days}`}
          empty={say('nothingFailed')}
        />
        <Card title={say('cashByPayment')}>
          <PaymentsTable report={report} />
        </Card>
      </div>
    </div>
  )
}

interface Hour {
  hour: number
  succeeded: number
  failed: number
}

/** From the first hour in which a task ended to the last, including quiet ones. */
function fillHours(hours: readonly Hour[]): Hour[] {
  const [first, last] = [hours[0], hours.at(-1)]
  if (!first || !last) return []
  return Array.from({ length: last.hour - first.hour + 1 }, (_, index) => {
    const hour = first.hour + index
    return hours.find((one) => one.hour === hour) ?? { hour, succeeded: 0, failed: 0 }
  })
}
