import { Page } from '../../ui/page.tsx'
import { useSay } from '../../words/words.ts'

export default function PeoplePage() {
  const say = useSay()
  return <Page title={say('people')}>{null}</Page>
}
