import { useIsShop, useMay } from '../../../api/session.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { Kbd } from '../../../ui/kbd.tsx'
import { useSay } from '../../../words/console.ts'
import { useMayUnassign } from '../../day/may-unassign.ts'
import { shortcuts } from './shortcuts.ts'

export function HelpDialog({ onClose }: { onClose: () => void }) {
  const say = useSay()
  const may = useMay()
  const mayUnassign = useMayUnassign()
  const isShop = useIsShop()
  const listed = shortcuts.filter(
    ({ shown, needs, unassigns, notForShops }) =>
      shown?.length !== 0 && (!needs || may(needs)) && (!unassigns || mayUnassign) && !(isShop && notForShops),
  )
  return (
    <Dialog title={say('keyboardHelp')} open onClose={onClose}>
      {/* Focusable, so that the keyboard scrolls it in a low window. */}
      <dl tabIndex={0} className="grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-2">
        {listed.map(({ keys, shown = keys, word }) => (
          <div key={word} className="contents">
            <dt className="flex gap-1">
              {shown.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </dt>
            <dd>{say(word)}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
