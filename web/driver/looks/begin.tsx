import { type ReactElement, useState } from 'react'
import { moveOf } from '../../../core/driver/rules.ts'
import { areAtOneDoor, doorOf } from '../../../core/stop.ts'
import { InTransit, isEnded } from '../../../core/task-status.ts'
import type { Action } from '../../../phone/keep.ts'
import type { SeenLoad } from '../../../phone/load.ts'
import type { ShownTask } from '../../../phone/state.ts'
import { shortAddress } from '../../tasks/address.ts'
import { useSay } from '../../words/driver.ts'
import { phone } from '../outbox/phone.ts'
import { useDay, useIsOnDuty } from './day.ts'
import { Question } from './question.tsx'
import { go, screens } from './screen.ts'
import { useLoad } from './use-load.ts'

type Doubt = 'load' | 'offDuty' | 'second'

/**
 * Accepts or starts the tasks of a stop. A start off duty, or of a second stop, is asked about first: it is mostly a slip. So
 * is the first start of the day without all parcels, where parcels are scanned.
 */
export function useBegin(parcels: readonly ShownTask[], onBegun: () => void = () => {}) {
  const say = useSay()
  const { tasks, day } = useDay()
  const isOnDuty = useIsOnDuty()
  const load = useLoad()
  const [asked, setAsked] = useState<{ actions: Action[]; doubts: Doubt[] }>()
  const isHere = (task: ShownTask) =>
    parcels.some(({ id, address }) => id === task.id || areAtOneDoor(doorOf(address), doorOf(task.address)))
  const hasLeft = tasks.some((task) => task.statusId === InTransit || isEnded(task))
  const lacks = load.isInUse && !hasLeft && (load.missing > 0 || load.foreign.length > 0)
  const other = tasks.find((task) => task.statusId === InTransit && !isHere(task))

  const goOn = async (actions: Action[], doubts: Doubt[]) => {
    if (doubts.length > 0) return setAsked({ actions, doubts })
    setAsked(undefined)
    await phone.keepDone(actions)
    onBegun()
  }
  const begin = (type: 'accept' | 'start') => {
    const starts = parcels.some((task) => moveOf(type, task, day.settings) === 'start')
    const doubts: Doubt[] = [
      ...(lacks ? (['load'] as const) : []),
      ...(isOnDuty ? [] : (['offDuty'] as const)),
      ...(other ? (['second'] as const) : []),
    ]
    void goOn(
      parcels.map(({ id }) => ({ type, taskId: id })),
      starts ? doubts : [],
    )
  }

  const leadOf = ({ missing, foreign }: SeenLoad) =>
    [
      ...(missing > 0 ? [say('loadMissing', { n: missing })] : []),
      ...(foreign.length > 0 ? [say('loadForeign', { n: foreign.length })] : []),
    ].join(' · ')

  const question = (): ReactElement | null => {
    if (!asked) return null
    const [doubt, ...more] = asked.doubts
    const close = () => setAsked(undefined)
    if (doubt === 'load')
      return (
        <Question
          title="leaveAsk"
          lead={leadOf(load)}
          answers={[
            { word: 'leaveAnyway', run: () => void goOn(asked.actions, more) },
            { word: 'leaveToLoad', look: 'primary', run: () => go(screens.load) },
          ]}
          onClose={close}
        />
      )
    if (doubt === 'offDuty')
      return (
        <Question
          title="offDutyAsk"
          lead={say('offDutyLead')}
          answers={[
            {
              word: 'dutyAndStart',
              look: 'primary',
              run: () => void goOn([{ type: 'duty', inShift: true }, ...asked.actions], more),
            },
            { word: 'startOffDuty', run: () => void goOn(asked.actions, more) },
          ]}
          onClose={close}
        />
      )
    return (
      <Question
        title="secondStopAsk"
        lead={say('secondStopLead', { stop: other ? shortAddress(other) : '' })}
        answers={[
          { word: 'startSecond', run: () => void goOn(asked.actions, more) },
          { word: 'cancel', run: close },
        ]}
        onClose={close}
      />
    )
  }
  return { begin, question: question() }
}
