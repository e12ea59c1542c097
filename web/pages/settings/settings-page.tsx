import { Page } from '../../ui/page.tsx'
import { useSay } from '../../words/words.ts'

export default function SettingsPage() {
  const say = useSay()
  return <Page title={say('settings')}>{null}</Page>
}
