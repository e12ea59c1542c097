import { Page } from '../../ui/page.tsx'
import { useSay } from '../../words/words.ts'

export default function WebhooksPage() {
  const say = useSay()
  return <Page title={say('webhooks')}>{null}</Page>
}
