import { RefreshCw, TriangleAlert } from 'lucide-react'
import { Component, type ReactNode } from 'react'
import { useSay, type Word } from '../../words/driver.ts'
import { BigButton, Foot, Screen } from '../looks/parts.tsx'
import { screens } from '../looks/screen.ts'

/** A fault in any screen ends here instead of on an empty page. */
export class Boundary extends Component<{ children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false }
  static getDerivedStateFromError = () => ({ hasFailed: true })
  override render() {
    return this.state.hasFailed ? <Failed why="appFailed" /> : this.props.children
  }
}

/** From the route: the same screen might fail again. What waits is on the phone, and stays there. */
function startAgain() {
  history.replaceState(null, '', screens.route)
  location.reload()
}

export function Failed({ why }: { why: Word }) {
  const say = useSay()
  return (
    <Screen
      foot={
        <Foot>
          <BigButton Icon={RefreshCw} onClick={startAgain}>
            {say('retry')}
          </BigButton>
        </Foot>
      }
    >
      <div role="alert" className="flex flex-col gap-4 p-4">
        <TriangleAlert aria-hidden className="mt-6 size-10 text-bad" />
        <h1 className="font-bold text-head">{say('wentWrong')}</h1>
        <p className="text-large">{say(why)}</p>
      </div>
    </Screen>
  )
}
