import { Page } from '../../ui/page.tsx'
import { useSay } from '../../words/words.ts'

export default function DriversPage() {
  const say = useSay()
  return <Page title={say('drivers')}>{null}</Page>
}
