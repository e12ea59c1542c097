import { Page } from '../../ui/page.tsx'
import { useSay } from '../../words/words.ts'

export default function HubsPage() {
  const say = useSay()
  return <Page title={say('hubs')}>{null}</Page>
}
