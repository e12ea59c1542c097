import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ChartColumn, Printer } from 'lucide-react'
import { useState } from 'react'
import { addDays, type DayRange } from '../../../../core/day-range.ts'
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
import { DriversTable } from './drivers-table.tsx'
import { EtaAccuracy } from './eta-accuracy.tsx'
import { Feedback } from './feedback.tsx'
import { Figures } from './figures.tsx'
import { RangeField } from './range-field.tsx'
import { FailuresTable, PaymentsTable } from './small-tables.tsx'

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
const clock = (hour: number) => `${String(hour).padStart(2, '0')}:00`

/** Counted by the server, so that one day and many are counted alike. Of days that are over only once. */
function Numbers({ range, isOver }: { range: DayRange; isOver: boolean }) {
  const say = useSay()
  const { from, to } = range
  const query = useQuery({
    queryKey: ['task-report', from, to],
    queryFn: () => api.getTaskReport({ query: range }),
    refetchInterval: isOver ? false : everyMs,
    placeholderData: keepPreviousData,
  })
  const report = query.data
  if (!report) return <NotLoaded query={query} />
  const isOneDay = from === to
  if (report.tasks === 0)
    return <EmptyState picture={<ChartColumn />} title={say(isOneDay ? 'noTasks' : 'noTasksInPeriod')} />
  const span = { from: `${from} 00:00`, to: `${addDays(to, 1)} 00:00` }
  return (
    // Never wider than the page: a wide table scrolls inside. While other days are on their way, the old ones are grey.
    <div aria-busy={query.isPlaceholderData} className="grid grid-cols-1 gap-4 aria-busy:opacity-50">
      <OldNotice query={query} />
      <Figures report={report} />
      {!isOneDay && (
        <Card title={say('perDay')}>
          <DaysChart days={report.days} />
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
      <Card title={say('perDriver')}>
        <DriversTable drivers={report.drivers} all={report} />
      </Card>
      <Card title={say('etaAccuracy')}>
        <EtaAccuracy span={span} isOver={isOver} />
      </Card>
      <Card title={say('customerFeedback')}>
        <Feedback span={span} day={isOneDay ? from : undefined} isOver={isOver} />
      </Card>
      <div className="grid grid-cols-1 gap-4 md:grid-cols-2">
        <Card title={say('failuresByReason')}>
          <FailuresTable reasons={report.reasons} />
        </Card>
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
