import { Page } from '../../ui/page.tsx'
import { useSay } from '../../words/words.ts'

export default function TeamsPage() {
  const say = useSay()
  return <Page title={say('teams')}>{null}</Page>
}
