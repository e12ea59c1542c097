import { useVirtualizer } from '@tanstack/react-virtual'
import { type ComponentType, useRef } from 'react'
import type { Task } from '../../../api/data.ts'
import { type Formats, useFormats } from '../../../api/time.ts'
import { arrivalOf } from '../../../tasks/arrival.ts'
import { riskOf } from '../../../tasks/risk.ts'
import { useDispatch } from '../../day/dispatch.tsx'
import { useLongTouch } from '../../day/long-touch.ts'
import { type Press, usePress } from '../../day/press.ts'
import type { Selection } from '../../day/selection.ts'
import { useCarry } from '../drag.ts'
import { useFollowCursor } from './follow-cursor.ts'
import { Grid, GridGroup } from './grid.tsx'

export const rowId = (task: Pick<Task, 'id'>) => `task-${task.id}`

/** The props of a task as a row or as a card. */
export interface DrawnTask {
  task: Task
  /** The position in the whole list, counted from one. */
  place: number
  top: number
  chosen: boolean
  atCursor: boolean
  risk: ReturnType<typeof riskOf>
  /** The driver should be there by now. */
  isBehind: boolean
  formats: Formats
  carry: ReturnType<typeof useCarry>
  onPress: Press
  onToggle: Selection['toggle']
}

/** The selection bar and what is below a map cover the end, so that there is room after the last task. */
export const heightOver = (height: number) => `calc(${height}px + var(--over-list) + 0.5rem)`

interface Props {
  name: string
  tasks: Task[]
  height: number
  Item: ComponentType<DrawnTask>
}

/** A list of thousands of tasks, of which only the visible ones are drawn. */
export function VirtualTasks({ name, tasks, height, Item }: Props) {
  const { selection, now } = useDispatch()
  const { cursor, toggle } = selection
  const press = usePress()
  const longTouch = useLongTouch()
  const formats = useFormats()
  const carry = useCarry()
  const scroller = useRef<HTMLDivElement>(null)
  const virtualizer = useVirtualizer({
    count: tasks.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan: 6,
    useFlushSync: false,
  })
  useFollowCursor(virtualizer, tasks, cursor)
  const shown = virtualizer.getVirtualItems()
  const atCursor = shown.map(({ index }) => tasks[index]).find((task) => task?.id === cursor)
  return (
    <Grid
      ref={scroller}
      aria-label={name}
      aria-rowcount={tasks.length}
      aria-activedescendant={atCursor && rowId(atCursor)}
      {...longTouch}
      className="overflow-y-auto"
    >
      <GridGroup className="relative" style={{ height: heightOver(virtualizer.getTotalSize()) }}>
        {shown.map(({ index, start }) => {
          const task = tasks[index]
          return (
            task && (
              <Item
                key={task.id}
                task={task}
                place={index + 1}
                top={start}
                chosen={selection.ids.has(task.id)}
                atCursor={task.id === cursor}
                risk={riskOf(task, now)}
                isBehind={arrivalOf(task, now)?.isBehind ?? false}
                formats={formats}
                carry={carry}
                onPress={press}
                onToggle={toggle}
              />
            )
          )
        })}
      </GridGroup>
    </Grid>
  )
}
