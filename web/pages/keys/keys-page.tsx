import { Page } from '../../ui/page.tsx'
import { useSay } from '../../words/words.ts'

export default function KeysPage() {
  const say = useSay()
  return <Page title={say('keys')}>{null}</Page>
}
