import { Link, useSearch } from '@tanstack/react-router'
import { ArrowDown, ArrowUp, MapPinCheck } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { type Task, useDrivers } from '../../../api/data.ts'
import { useMay } from '../../../api/session.ts'
import { Button, buttonLook } from '../../../ui/button.tsx'
import { Kbd } from '../../../ui/kbd.tsx'
import { Page } from '../../../ui/page.tsx'
import { EmptyState, Loaded, onlyWith } from '../../../ui/state.tsx'
import { useTell } from '../../../ui/toast.tsx'
import { useLaterSay } from '../../../words/later.ts'
import { useDayName } from '../../day/day-name.ts'
import { CitiesNotice } from '../../tasks/cities-notice.tsx'
import { AddressCard } from './address-card.tsx'
import { type Decision, useCorrect } from './correct.ts'
import { type Doubtful, useDoubtful } from './doubtful.ts'
import { afterwards, type Chosen, listed, placeIn, stepFrom } from './place-in-list.ts'
import { keysOfPage } from './use-keys.ts'

export default onlyWith('tasks:read', AddressesPage)

/** Addresses that were not found, or only roughly: one after the other, by keyboard. */
function AddressesPage() {
  const say = useLaterSay('addresses')
  const scope = useSearch({ from: '/signed-in/addresses' })
  const dayName = useDayName()
  const { data: drivers = [] } = useDrivers()
  const driver = drivers.find(({ id }) => id === scope.driver)
  const query = useDoubtful(scope)
  const of = [
    driver && say('addressesOfDriver', { driver: driver.name }),
    scope.day && say('addressesOfDay', { day: dayName(scope.day) }),
  ].filter(Boolean)
  return (
    <Page
      title={say('addressesToCheck')}
      lead={of.length > 0 ? of.join(' · ') : say('addressesLead')}
      actions={
        of.length > 0 && (
          <Link to="/addresses" search={{}} className={buttonLook()}>
            {say('allAddresses')}
          </Link>
        )
      }
    >
      <CitiesNotice />
      {/* Another list begins at its beginning. */}
      <Loaded query={query}>{(found) => <Worklist key={`${scope.day} ${scope.driver}`} found={found} />}</Loaded>
    </Page>
  )
}

function Worklist({ found: { tasks, isMore } }: { found: Doubtful }) {
  const say = useLaterSay('addresses')
  const tell = useTell()
  const mayCorrect = useMay()('tasks:write')
  const heading = useRef<HTMLHeadingElement>(null)
  const [chosen, setChosen] = useState<Chosen>()
  const [drafts] = useState(() => new Map<number, string>())
  const list = listed(tasks, chosen)
  const place = placeIn(list, chosen)
  // Who looks at one is at it: if it goes, what follows is another one.
  if (place && (place.id !== chosen?.id || place.at !== chosen.at)) setChosen(place)
  const task = place && list[place.at]
  const correct = useCorrect((after, decision) => {
    drafts.delete(after.id)
    setChosen(place && afterwards(list, place.at))
    tell(say(told(after, decision), { awb: after.awb }), {
      link: { label: say('backToIt'), go: () => setChosen({ id: after.id, at: place?.at ?? 0 }) },
    })
  })
  const { reset } = correct
  const id = task?.id
  // The next one is read out, and its keys work.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another address has another heading
  useEffect(() => {
    reset()
    heading.current?.focus({ preventScroll: true })
  }, [id, reset])

  if (!task)
    return (
      <EmptyState
        picture={<MapPinCheck />}
        title={say('noAddressesToCheck')}
        action={
          <Link to="/" className={buttonLook()}>
            {say('dispatch')}
          </Link>
        }
      >
        {say('noAddressesToCheckLead')}
      </EmptyState>
    )
  const { at } = place
  const step = (by: 1 | -1) => {
    const next = stepFrom(list, at, by)
    if (next) setChosen(next)
  }
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-center gap-2">
        <p className="numbers grow font-medium" role="status">
          {say(isMore ? 'addressAtOfMore' : 'addressAt', { at: at + 1, n: list.length })}
        </p>
        <Button disabled={at === 0} onClick={() => step(-1)}>
          <ArrowUp aria-hidden />
          {say('previousAddress')}
          <span aria-hidden>
            <Kbd>k</Kbd>
          </span>
        </Button>
        <Button disabled={at === list.length - 1} onClick={() => step(1)}>
          <ArrowDown aria-hidden />
          {say('nextAddress')}
          <span aria-hidden>
            <Kbd>j</Kbd>
          </span>
        </Button>
      </div>
      {!mayCorrect && <p className="text-ink-soft">{say('mayNotCorrect')}</p>}
      <AddressCard
        key={task.id}
        task={task}
        heading={heading}
        drafts={drafts}
        mayCorrect={mayCorrect}
        error={correct.error}
        isBusy={correct.isPending}
        onDecide={(decision) => correct.mutate({ task, decision })}
        onStep={step}
      />
      <Keys />
    </div>
  )
}

function told({ address }: Task, { is }: Decision) {
  if (is === 'right') return 'addressConfirmed'
  return address.lat === null ? 'addressSought' : 'addressPlaced'
}

function Keys() {
  const say = useLaterSay('addresses')
  return (
    <section aria-label={say('addressKeys')} className="max-sm:hidden">
      <dl className="flex flex-wrap gap-x-4 gap-y-1 text-ink-faint">
        {keysOfPage.map(({ keys: [key], word }) => (
          <div key={word} className="flex items-center gap-1.5">
            <dt>
              <Kbd>{key === 'Escape' ? 'Esc' : key}</Kbd>
            </dt>
            <dd>{say(word)}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
