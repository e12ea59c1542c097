import { Refusal } from '../../contract/errors.ts'
import { longest } from '../../contract/limits.ts'
import type { ChosenInput } from '../../contract/tracking.ts'
import { languageOf } from '../../core/message-rules/causes.ts'
import { choiceFor, windowOfChoice } from '../../core/recipient-choice.ts'
import { settingsOf } from '../../core/settings.ts'
import { commitWithEvents } from '../events/record.ts'
import { lockTasks } from '../tasks/read/lock.ts'
import { triedOf } from '../tasks/read/tried.ts'
import { reattemptLocked } from '../tasks/tries/reattempt.ts'
import { sayIn } from './page/words.ts'
import type { Tracked } from './tracked.ts'

/** Tries a failed task again when its recipient wants, within what the organisation offers: once. */
export async function chooseAgain({ id, organisation, context }: Tracked, given: ChosenInput) {
  await commitWithEvents(context, async (db) => {
    const [task] = await lockTasks(db, organisation.id, [id])
    if (!task) throw new Refusal('TASK_NOT_FOUND')
    const { timezone } = organisation
    const choice = choiceFor(triedOf(task), settingsOf(organisation), context.clock.now(), timezone)
    if (!choice) throw new Refusal('REATTEMPT_CLOSED')
    const window = windowOfChoice(choice, { day: given.day, window: given.window ?? '' }, timezone)
    if (!window)
      throw new Refusal('VALIDATION_FAILED', { field: 'day', message: 'day and window must be some of those offered' })
    const place = (choice.safePlace && given.safePlace?.trim()) || undefined
    const say = sayIn(languageOf(settingsOf(organisation).messageLanguage, organisation.country))
    const added = place && say('safePlaceNote', { place })
    const notes = [task.customer_notes, added].filter(Boolean).join('\n')
    if (notes.length > longest.text)
      throw new Refusal('VALIDATION_FAILED', { field: 'safePlace', message: 'There are too many instructions already' })
    const next = { complete_after: window.from, complete_before: window.to }
    const left = { notes: added ? notes : task.customer_notes, instructions: place ? [place] : null }
    await reattemptLocked(context, db, organisation, task, next, left)
  })
}
