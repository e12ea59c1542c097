import { useQuery } from '@tanstack/react-query'
import { ChartColumn, Printer } from 'lucide-react'
import { useMemo, useState } from 'react'
import { dayOf } from '../../../../core/task-day.ts'
import { useMay } from '../../../api/session.ts'
import { useFormats } from '../../../api/time.ts'
import { tasksOf } from '../../../live/load-tasks.ts'
import { isShownOn } from '../../../tasks/day.ts'
import { Button } from '../../../ui/button.tsx'
import { Card, Page } from '../../../ui/page.tsx'
import { EmptyState, ForbiddenState, NotLoaded, OldNotice } from '../../../ui/state.tsx'
import { useSay } from '../../../words/console.ts'
import { DayField } from '../../day/day-field.tsx'
import { countDay } from './day-statistics.ts'
import { DriversTable } from './drivers-table.tsx'
import { EtaAccuracy } from './eta-accuracy.tsx'
import { Feedback } from './feedback.tsx'
import { Figures } from './figures.tsx'
import { HoursChart } from './hours-chart.tsx'
import { FailuresTable, PaymentsTable } from './small-tables.tsx'
import './print.css'

/** The numbers of a day, or of today so far. */
export default function StatisticsPage() {
  const say = useSay()
  const may = useMay()
  const { timeZone } = useFormats()
  const [chosen, setChosen] = useState<string>()
  const today = dayOf(Date.now(), timeZone)
  const day = chosen ?? today
  if (!may('tasks:read')) return <ForbiddenState />
  return (
    <Page
      title={say('statistics')}
      lead={say('statisticsLead')}
      actions={
        <>
          <DayField day={day} isToday={day === today} onChange={setChosen} />
          <Button className="no-print" onClick={() => window.print()}>
            <Printer aria-hidden />
            {say('print')}
          </Button>
        </>
      }
    >
      <DayNumbers key={day} day={day} />
    </Page>
  )
}

function DayNumbers({ day }: { day: string }) {
  const say = useSay()
  const { timeZone } = useFormats()
  const query = useQuery(tasksOf(day, timeZone))
  const counted = useMemo(() => {
    const hour = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', hourCycle: 'h23' })
    const tasks = (query.data ?? []).filter((task) => isShownOn(task, day, timeZone))
    return countDay(tasks, (moment) => Number(hour.format(new Date(moment))))
  }, [query.data, day, timeZone])

  if (!query.data) return <NotLoaded query={query} />
  if (counted.all === 0) return <EmptyState picture={<ChartColumn />} title={say('noTasks')} />
  return (
    // Never wider than the page: a wide table scrolls inside.
    <div className="grid grid-cols-1 gap-4">
      <OldNotice query={query} />
      <Figures counted={counted} />
      <Card title={say('perHour')}>
        <HoursChart hours={counted.hours} />
      </Card>
      <Card title={say('perDriver')}>
        <DriversTable drivers={counted.drivers} />
      </Card>
      <Card title={say('etaAccuracy')}>
        <EtaAccuracy day={day} />
      </Card>
      <Card title={say('customerFeedback')}>
        <Feedback day={day} />
      </Card>
      <div className="grid grid-cols-1 gap-4 md:grid-cols-2">
        <Card title={say('failuresByReason')}>
          <FailuresTable failures={counted.failures} />
        </Card>
        <Card title={say('cashByPayment')}>
          <PaymentsTable counted={counted} />
        </Card>
      </div>
    </div>
  )
}
