import { useTell } from '../../ui/toast.tsx'
import { useSay } from '../../words/console.ts'
import { useDispatch } from './dispatch.tsx'

/**
 * Routes are planned for today and later days. When a past day is shown, a button that plans stays visible and says so,
 * but does nothing: `<Button {...plannable(plan)}>`.
 */
export function usePlannable() {
  const { isPast } = useDispatch()
  const tell = useTell()
  const say = useSay()
  const sentence = say('pastDay')
  return (act: () => void) =>
    isPast
      ? {
          onClick: () => tell(sentence),
          title: sentence,
          'aria-disabled': true,
          'aria-description': sentence,
        }
      : { onClick: act }
}
