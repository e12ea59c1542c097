import { Banknote, Download, Printer } from 'lucide-react'
import { useState } from 'react'
import { dayOf } from '../../../../core/task-day.ts'
import { api } from '../../../api/client.ts'
import { useCompany } from '../../../api/data.ts'
import { problemText } from '../../../api/problem.ts'
import { useFormats } from '../../../api/time.ts'
import { Button } from '../../../ui/button.tsx'
import { Page } from '../../../ui/page.tsx'
import { EmptyState, Loaded, onlyWith } from '../../../ui/state.tsx'
import { useTell } from '../../../ui/toast.tsx'
import { DayField } from '../../day/day-field.tsx'
import { saveCsv } from '../../files/save.ts'
import { readLines, useCashDays, useCashSay } from './cash-data.ts'
import { CashDialog } from './cash-dialogs.tsx'
import { type CashOpen, CashTable } from './cash-table.tsx'
import { DriverCash } from './driver-cash.tsx'
import { tableOf } from './export.ts'

export default onlyWith('tasks:read', CashPage)

/** The money of a day, driver by driver. */
function CashPage() {
  const say = useCashSay()
  const { timeZone, dayOnPaper } = useFormats()
  const { data: company } = useCompany()
  const today = dayOf(Date.now(), timeZone)
  const [chosen, setChosen] = useState<string>()
  const [open, setOpen] = useState<CashOpen>()
  const day = chosen ?? today
  const days = useCashDays({ from: day, to: day })
  const close = () => setOpen(undefined)
  const actions = (
    <div className="no-print flex flex-wrap items-center gap-2">
      <Button onClick={() => window.print()}>
        <Printer aria-hidden />
        {say('print')}
      </Button>
      <Export day={day} />
    </div>
  )
  return (
    <Page title={say('cash')} lead={say('cashLead')} actions={actions}>
      <div className="print-wide grid grid-cols-1 gap-3">
        <div className="no-print">
          <DayField day={day} isToday={day === today} onChange={setChosen} />
        </div>
        <h2 className="hidden font-semibold print:block">
          {[company?.name, dayOnPaper(day)].filter(Boolean).join(' · ')}
        </h2>
        <Loaded query={days}>
          {(days) =>
            days.length === 0 ? (
              <EmptyState picture={<Banknote />} title={say('noCash')}>
                {say('noCashLead')}
              </EmptyState>
            ) : (
              <CashTable days={days} onOpen={setOpen} />
            )
          }
        </Loaded>
      </div>
      {open?.action === 'details' && <DriverCash day={open.day} onClose={close} />}
      {open && open.action !== 'details' && <CashDialog action={open.action} day={open.day} onClose={close} />}
    </Page>
  )
}

/** All lines of the day, as a file. */
function Export({ day }: { day: string }) {
  const say = useCashSay()
  const tell = useTell()
  const { timeZone } = useFormats()
  const [isBusy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    try {
      const lines = await readLines({ from: day, to: day })
      saveCsv(say('cashFile', { day }), tableOf(lines, say, timeZone))
      await api.noteExport({ body: { list: 'cash', format: 'csv', rows: lines.length } })
    } catch (error) {
      tell(problemText(error, say), { bad: true })
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button busy={isBusy} onClick={() => void save()}>
      <Download aria-hidden />
      {say('export')}
    </Button>
  )
}
