import { Page } from '../../ui/page.tsx'
import { useSay } from '../../words/words.ts'

export default function AccountPage() {
  const say = useSay()
  return <Page title={say('account')}>{null}</Page>
}
