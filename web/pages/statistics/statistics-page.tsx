import { Page } from '../../ui/page.tsx'
import { useSay } from '../../words/words.ts'

export default function StatisticsPage() {
  const say = useSay()
  return <Page title={say('statistics')}>{null}</Page>
}
