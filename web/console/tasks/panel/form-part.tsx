import { Star } from 'lucide-react'
import { formOf } from '../../../../core/form.ts'
import { type Task, useForms } from '../../../api/data.ts'
import { useFormats } from '../../../api/time.ts'
import { answersOf, type ShownAnswer } from '../../../tasks/answers.ts'
import { join } from '../../../ui/class-names.ts'
import { useSay, useSpeech } from '../../../words/console.ts'
import { Fact, Facts, Part } from './fact.tsx'

/** What the driver filled in. */
export function FormPart({ task }: { task: Task }) {
  const { say, language } = useSpeech()
  const { data: forms = [] } = useForms()
  const answers = answersOf(task, formOf(task, forms)?.fields ?? [], language)
  if (answers.length === 0) return null
  return (
    <Part title={say('formAnswers')}>
      <Facts>
        {answers.map((shown) => (
          <Fact key={shown.key} label={shown.label}>
            <AnswerValue shown={shown} />
          </Fact>
        ))}
      </Facts>
    </Part>
  )
}

function AnswerValue({ shown: { answer, image, label } }: { shown: ShownAnswer }) {
  const say = useSay()
  if (image)
    return (
      <a href={image} target="_blank" rel="noreferrer">
        <img src={`${image}?size=thumb`} alt={label} className="max-h-32 rounded" />
      </a>
    )
  return typeof answer === 'boolean' ? say(answer ? 'yes' : 'no') : String(answer)
}

/** What the customer said. */
export function FeedbackPart({ task: { feedbacks } }: { task: Task }) {
  const say = useSay()
  const { dateTime } = useFormats()
  return feedbacks.map(({ id, rating, comment, createdAt }) => (
    <Part key={id} title={say('feedback')}>
      <span role="img" aria-label={say('stars', { n: rating })} className="flex gap-0.5">
        {[1, 2, 3, 4, 5].map((star) => (
          <Star
            key={star}
            aria-hidden
            className={join('size-4', star <= rating ? 'fill-waiting text-waiting' : 'text-ink-faint')}
          />
        ))}
      </span>
      {comment && <p className="mt-1 whitespace-pre-line [overflow-wrap:anywhere]">{comment}</p>}
      <p className="numbers text-ink-faint text-xs">{dateTime(createdAt)}</p>
    </Part>
  ))
}
