import { Page } from '../../../ui/page.tsx'
import { onlyWith } from '../../../ui/state.tsx'
import { useSay } from '../record-words.ts'
import { EraseCard } from './erase-card.tsx'
import { Receipts } from './receipts.tsx'

export default onlyWith('privacy:write', PrivacyPage)

/** What is kept about a customer goes, or is handed over; and what went. */
function PrivacyPage() {
  const say = useSay()
  return (
    <Page title={say('privacy')} lead={say('privacyLead')}>
      <div className="grid gap-6">
        <EraseCard />
        <Receipts />
      </div>
    </Page>
  )
}
