import { useFormats } from '../../../api/time.ts'
import { Button } from '../../../ui/button.tsx'
import { useSay } from '../../../words/console.ts'
import type { useTrack } from './track.ts'

/** How far the driver drove and when, in words: the line on the map says only where. */
export function TrackLine({ query }: { query: ReturnType<typeof useTrack>['query'] }) {
  const say = useSay()
  const { time, distance } = useFormats()
  const { data, error, refetch, isFetching } = query
  const [first, last] = [data?.locations[0], data?.locations.at(-1)]
  return (
    <p role="status" className="numbers flex min-h-8 items-center gap-2 px-3 pb-1 text-ink-soft">
      <span aria-hidden className="h-1 w-5 shrink-0 rounded bg-moving" />
      {first && last ? (
        <>
          <span className="font-medium text-ink">{say('driven', { distance: distance(data?.metres ?? 0) })}</span>
          {`${time(first.occurredAt)}–${time(last.occurredAt)}`}
        </>
      ) : (
        say(error ? 'trackFailed' : data ? 'noTrack' : 'loading')
      )}
      {error && (
        <Button busy={isFetching} onClick={() => void refetch()}>
          {say('retry')}
        </Button>
      )}
    </p>
  )
}
