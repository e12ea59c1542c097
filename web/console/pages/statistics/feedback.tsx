import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../../../api/client.ts'
import { useFormats } from '../../../api/time.ts'
import { tableLook } from '../../../ui/page.tsx'
import { Loaded } from '../../../ui/state.tsx'
import { useSay } from '../record-words.ts'

interface Props {
  span: { from: string; to: string }
  /** If it is only one. */
  day: string | undefined
  isOver: boolean
}

/** What customers said about the tasks that ended in a time. */
export function Feedback({ span, day, isOver }: Props) {
  const say = useSay()
  const { decimal, number } = useFormats()
  const query = useQuery({
    queryKey: ['feedback-report', span.from, span.to],
    queryFn: () => api.getFeedbackReport({ query: span }),
    refetchInterval: isOver ? false : 60_000,
  })
  return (
    <Loaded query={query}>
      {({ count, average, ratings, comments }) =>
        average === null ? (
          <p className="px-4 py-6 text-ink-soft">{say('noFeedback')}</p>
        ) : (
          <div className="grid gap-4 px-4 py-3 md:grid-cols-[minmax(0,1fr)_minmax(0,2fr)]">
            <div>
              <p className="font-semibold text-lg sm:text-2xl">{say('ofFiveStars', { average: decimal(average) })}</p>
              <p className="mb-2 text-ink-soft">{say('averageRatingOf', { n: count })}</p>
              <table className="numbers w-full">
                <caption className="sr-only">{say('ratingCounts')}</caption>
                <tbody>
                  {ratings.map((one) => (
                    <tr key={one.rating}>
                      <th scope="row" className="whitespace-nowrap py-0.5 pr-2 text-left font-normal">
                        {say('starsRow', { n: one.rating })}
                      </th>
                      <td className="w-full">
                        <div className="h-2.5 rounded bg-sunken">
                          <div
                            className="h-full rounded bg-accent"
                            style={{ width: `${(100 * one.count) / count}%` }}
                          />
                        </div>
                      </td>
                      <td className="pl-2 text-right">{number(one.count)}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
            <Comments comments={comments} day={day} />
          </div>
        )
      }
    </Loaded>
  )
}

interface Comment {
  taskId: number
  awb: string
  driver: string | null
  rating: number
  comment: string
}

function Comments({ comments, day }: { comments: Comment[]; day: string | undefined }) {
  const say = useSay()
  if (comments.length === 0) return <p className="text-ink-soft">{say('noComments')}</p>
  return (
    <div>
      <h3 className={tableLook.head.replace('px-4', 'px-0')}>{say('worstComments')}</h3>
      <ul>
        {comments.map(({ taskId, awb, driver, rating, comment }) => (
          <li key={taskId} className="border-line border-b py-2 last:border-0">
            <p className="flex flex-wrap gap-x-3 text-ink-soft">
              <span className="font-medium text-ink">{say('starsRow', { n: rating })}</span>
              <Link to="/" search={{ ...(day && { day }), task: taskId }} className="underline">
                {awb}
              </Link>
              <span>{driver}</span>
            </p>
            <p className="whitespace-pre-line [overflow-wrap:anywhere]">{comment}</p>
          </li>
        ))}
      </ul>
    </div>
  )
}
