import { Download, ScrollText } from 'lucide-react'
import { useEffect, useState } from 'react'
import { longest, mostItems } from '../../../../contract/limits.ts'
import { api } from '../../../api/client.ts'
import { problemText } from '../../../api/problem.ts'
import { useFormats } from '../../../api/time.ts'
import { Button } from '../../../ui/button.tsx'
import { join } from '../../../ui/class-names.ts'
import { inputLook } from '../../../ui/field.tsx'
import { Page } from '../../../ui/page.tsx'
import { PagedList } from '../../../ui/paged-list.tsx'
import { EmptyState, onlyWith } from '../../../ui/state.tsx'
import { useTell } from '../../../ui/toast.tsx'
import { saveCsv } from '../../files/save.ts'
import { wallSeconds } from '../../tasks/wall-time.ts'
import { useSay, type Word } from '../record-words.ts'
import { useSettingTexts } from '../setting-texts.ts'
import { AuditLine } from './audit-line.tsx'
import { choices, type Entry, tableOf } from './tell.ts'

/** More than this is a matter for a program. */
const mostExported = 20_000
const typingMs = 300

export default onlyWith('audit:read', AuditPage)

interface Filter {
  who: string
  what: string
  day: string
}
const everything: Filter = { who: '', what: '', day: '' }

const queryOf = ({ who, what, day }: Filter) => ({
  ...(who.trim() && { who: who.trim() }),
  ...(what && { kind: choices[what as keyof typeof choices] }),
  ...(day && { day }),
})

/** Who did what, newest first. */
function AuditPage() {
  const say = useSay()
  const [filter, setFilter] = useState(everything)
  const wanted = useSettled(filter)
  const read = async (paging: object) => {
    const { entries: items, nextCursor } = await api.listAudit({ query: { ...queryOf(wanted), ...paging } })
    return { items, nextCursor }
  }
  const isFiltered = Object.keys(queryOf(filter)).length > 0
  return (
    <Page title={say('auditLog')} lead={say('auditLead')} actions={<Export filter={wanted} />}>
      <div className="grid gap-3">
        <Filters filter={filter} onChange={setFilter} />
        <PagedList
          queryKey={['audit', wanted]}
          read={read}
          empty={
            <EmptyState
              picture={<ScrollText />}
              title={say(isFiltered ? 'auditNoneFound' : 'auditNone')}
              action={isFiltered && <Button onClick={() => setFilter(everything)}>{say('auditClear')}</Button>}
            >
              {say(isFiltered ? 'auditNoneFoundLead' : 'auditNoneLead')}
            </EmptyState>
          }
        >
          {(entry) => <AuditLine key={entry.id} entry={entry} />}
        </PagedList>
      </div>
    </Page>
  )
}

/** The filter once nobody has typed for a moment. */
function useSettled(filter: Filter): Filter {
  const [settled, setSettled] = useState(filter)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(filter), filter.who === settled.who ? 0 : typingMs)
    return () => clearTimeout(timer)
  }, [filter, settled.who])
  return settled
}

function Filters({ filter, onChange }: { filter: Filter; onChange: (filter: Filter) => void }) {
  const say = useSay()
  return (
    <search className="flex flex-wrap gap-2">
      <input
        type="search"
        aria-label={say('auditWho')}
        placeholder={say('auditWho')}
        maxLength={longest.search}
        value={filter.who}
        onChange={({ target }) => onChange({ ...filter, who: target.value })}
        className={join(inputLook, 'sm:!w-64')}
      />
      <select
        aria-label={say('auditWhat')}
        value={filter.what}
        onChange={({ target }) => onChange({ ...filter, what: target.value })}
        className={join(inputLook, '!w-auto')}
      >
        <option value="">{say('auditAnything')}</option>
        {(Object.keys(choices) as Word[]).map((word) => (
          <option key={word} value={word}>
            {say(word)}
          </option>
        ))}
      </select>
      <input
        type="date"
        aria-label={say('day')}
        value={filter.day}
        onChange={({ target }) => onChange({ ...filter, day: target.value })}
        className={join(inputLook, '!w-auto')}
      />
    </search>
  )
}

/** Saves everything that fits the filter, not only what is on the screen. */
function Export({ filter }: { filter: Filter }) {
  const say = useSay()
  const settings = useSettingTexts()
  const tell = useTell()
  const { timeZone } = useFormats()
  const [isBusy, setIsBusy] = useState(false)
  const save = async () => {
    setIsBusy(true)
    try {
      const { entries, isWhole } = await readAll(filter)
      const moment = (time: string) => wallSeconds(time, timeZone).replace('T', ' ')
      saveCsv(say('auditFile'), tableOf(entries, settings, say, moment))
      await api.noteExport({ body: { list: 'audit', format: 'csv', rows: entries.length } })
      tell(say(isWhole ? 'auditSaved' : 'auditSavedPart', { n: entries.length }), { bad: !isWhole })
    } catch (error) {
      tell(problemText(error, say), { bad: true })
    } finally {
      setIsBusy(false)
    }
  }
  return (
    <Button busy={isBusy} onClick={() => void save()}>
      <Download aria-hidden />
      {say('export')}
    </Button>
  )
}

async function readAll(filter: Filter): Promise<{ entries: Entry[]; isWhole: boolean }> {
  const entries: Entry[] = []
  for (let cursor: string | undefined; entries.length < mostExported; ) {
    const page = await api.listAudit({ query: { ...queryOf(filter), limit: mostItems, ...(cursor && { cursor }) } })
    entries.push(...page.entries)
    cursor = page.nextCursor
    if (!cursor) return { entries, isWhole: true }
  }
  return { entries, isWhole: false }
}
