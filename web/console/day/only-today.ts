import { useTell } from '../../ui/toast.tsx'
import { useSay } from '../../words/words.ts'
import { useDispatch } from './dispatch.tsx'

/**
 * Routes are planned for today, whatever day is shown. On another day a button that plans can be found and says so, but
 * does nothing: `<Button {...onlyToday(plan)}>`.
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
