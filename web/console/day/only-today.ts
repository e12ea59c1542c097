import { useTell } from '../../ui/toast.tsx'
import { useSay } from '../../words/console.ts'
import { useDispatch } from './dispatch.tsx'

/**
 * Routes are planned only for today. When another day is shown, a button that plans stays visible and says so, but does
 * nothing: `<Button {...onlyToday(plan)}>`.
 */
export function useOnlyToday() {
  const { isToday } = useDispatch()
  const tell = useTell()
  const say = useSay()
  const sentence = say('onlyToday')
  return (act: () => void) =>
    isToday
      ? { onClick: act }
      : {
          onClick: () => tell(sentence),
          title: sentence,
          'aria-disabled': true,
          'aria-description': sentence,
        }
}
