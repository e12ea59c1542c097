import { GitCompareArrows, Search } from 'lucide-react'
import { useState } from 'react'
import { useMay } from '../../../api/session.ts'
import { Button } from '../../../ui/button.tsx'
import { join } from '../../../ui/class-names.ts'
import { inputLook } from '../../../ui/field.tsx'
import { Page } from '../../../ui/page.tsx'
import { EmptyState, Loaded, onlyWith } from '../../../ui/state.tsx'
import { useUndoKeys } from '../../../ui/toast.tsx'
import { useSay } from '../../../words/console.ts'
import { type ConflictGroup, groupConflicts, searchGroups } from '../../conflicts/group.ts'
import { useConflicts, useOpenConflicts } from '../../conflicts/open-conflicts.ts'
import { ConflictCard } from './conflict-card.tsx'

export default onlyWith('tasks:read', Conflicts)

/** What drivers did that could not be applied: to be decided, and decided. */
function Conflicts() {
  const say = useSay()
  const may = useMay()
  const [isSettled, setSettled] = useState(false)
  const [text, setText] = useState('')
  useUndoKeys()
  return (
    <Page title={say('conflicts')} lead={say('conflictsLead')}>
      <div className="mb-4 flex flex-wrap items-center gap-2">
        <fieldset className="flex shrink-0 rounded-lg border border-line bg-surface p-0.5">
          <legend className="sr-only">{say('view')}</legend>
          {[false, true].map((settled) => (
            <button
              key={String(settled)}
              type="button"
              aria-pressed={settled === isSettled}
              onClick={() => setSettled(settled)}
              className={join(
                'h-7 rounded-md px-3 font-medium',
                settled === isSettled ? 'bg-chosen text-ink' : 'text-ink-soft hover:text-ink',
              )}
            >
              {say(settled ? 'conflictsSettled' : 'conflictsOpen')}
            </button>
          ))}
        </fieldset>
        <div className="relative min-w-0 grow sm:max-w-72">
          <Search aria-hidden className="absolute top-2 left-2 size-4 text-ink-faint" />
          <input
            type="search"
            autoComplete="off"
            aria-label={say('search')}
            placeholder={say('searchConflicts')}
            value={text}
            onChange={(event) => setText(event.target.value)}
            className={join(inputLook, 'pl-8')}
          />
        </div>
      </div>
      {!may('tasks:write') && !isSettled && <p className="mb-3 text-ink-soft">{say('settleReadOnly')}</p>}
      {isSettled ? (
        <Settled text={text} onClear={() => setText('')} />
      ) : (
        <Open text={text} onClear={() => setText('')} />
      )}
    </Page>
  )
}

interface ListProps {
  text: string
  onClear: () => void
}

function Open(props: ListProps) {
  const say = useSay()
  const { query, groups } = useOpenConflicts()
  const none = (
    <EmptyState picture={<GitCompareArrows />} title={say('noConflicts')}>
      {say('noConflictsLead')}
    </EmptyState>
  )
  return <List query={query} groups={groups} none={none} {...props} />
}

function Settled(props: ListProps) {
  const say = useSay()
  const query = useConflicts(true)
  const groups = groupConflicts(query.data?.pages.flatMap(({ conflicts }) => conflicts) ?? [])
  const none = <EmptyState picture={<GitCompareArrows />} title={say('noSettled')} />
  return <List query={query} groups={groups} none={none} {...props} />
}

function List({
  query,
  groups,
  none,
  text,
  onClear,
}: ListProps & { query: ReturnType<typeof useConflicts>; groups: ConflictGroup[]; none: React.ReactNode }) {
  const say = useSay()
  const found = searchGroups(groups, text)
  const nothing =
    groups.length === 0 ? (
      none
    ) : (
      <EmptyState title={say('noConflictMatches')} action={<Button onClick={onClear}>{say('clearSearch')}</Button>} />
    )
  return (
    <Loaded query={query}>
      {() => (
        <>
          {found.length === 0 && nothing}
          <ul className="grid gap-4">
            {found.map((group) => (
              <ConflictCard key={group.key} group={group} />
            ))}
          </ul>
          {query.hasNextPage && (
            <Button className="mt-4" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
              {say('more')}
            </Button>
          )}
        </>
      )}
    </Loaded>
  )
}
