import { Handshake, Plus, Wallet } from 'lucide-react'
import { lazy, useState } from 'react'
import { api } from '../../../api/client.ts'
import { type Partner, useCompany, usePartners } from '../../../api/data.ts'
import { useFormats } from '../../../api/time.ts'
import { Button } from '../../../ui/button.tsx'
import { join } from '../../../ui/class-names.ts'
import { ConfirmWrite } from '../../../ui/confirm.tsx'
import { Later } from '../../../ui/later.tsx'
import { MenuItem } from '../../../ui/menu.tsx'
import { Card, Page, tableLook } from '../../../ui/page.tsx'
import { RowMenu } from '../../../ui/row-menu.tsx'
import { useSave } from '../../../ui/save.ts'
import { EmptyState, Loaded, onlyWith } from '../../../ui/state.tsx'
import { useLaterSay } from '../../../words/later.ts'
import { namePartner } from '../../tasks/hand-over/name-partner.ts'
import { PartnerForm } from './partner-form.tsx'

const BalanceDialog = lazy(() => import('./balance-dialog.tsx'))

type Open = { what: 'new' } | { what: 'end' | 'balance'; partner: Partner }

export default onlyWith('company:write', Partners)

function Partners() {
  const say = useLaterSay('partners')
  const partners = usePartners()
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const add = (
    <Button look="primary" onClick={() => setOpen({ what: 'new' })}>
      <Plus aria-hidden />
      {say('newPartner')}
    </Button>
  )
  return (
    <Page title={say('partners')} lead={say('partnersLead')} actions={add}>
      <div className="grid grid-cols-1 gap-4">
        <OwnNumber />
        <Loaded query={partners}>
          {(items) =>
            items.length === 0 ? (
              <EmptyState picture={<Handshake />} title={say('noPartners')} action={add}>
                {say('noPartnersLead')}
              </EmptyState>
            ) : (
              <Table partners={items} onOpen={setOpen} />
            )
          }
        </Loaded>
      </div>
      {open?.what === 'new' && <PartnerForm onClose={close} />}
      {open?.what === 'end' && <EndPartner partner={open.partner} onClose={close} />}
      {open?.what === 'balance' && (
        <Later>
          <BalanceDialog partner={open.partner} onClose={close} />
        </Later>
      )}
    </Page>
  )
}

/** What others have to know to ask. */
function OwnNumber() {
  const say = useLaterSay('partners')
  const { data: company } = useCompany()
  if (!company) return null
  return (
    <Card>
      <div className="px-4 py-3">
        <p className="numbers font-semibold">{say('yourNumber', { n: String(company.id) })}</p>
        <p className="text-ink-soft">{say('yourNumberLead')}</p>
      </div>
    </Card>
  )
}

function Table({ partners, onOpen }: { partners: Partner[]; onOpen: (open: Open) => void }) {
  const say = useLaterSay('partners')
  return (
    <Card>
      <div className="shades-across overflow-x-auto">
        <table className={tableLook.table}>
          <thead>
            <tr>
              {(['name', 'state', 'partnerSince'] as const).map((word) => (
                <th key={word} scope="col" className={join(tableLook.head, word === 'partnerSince' && 'max-sm:hidden')}>
                  {say(word)}
                </th>
              ))}
              <th className={tableLook.head}>
                <span className="sr-only">{say('more')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {partners.map((partner) => (
              <Row key={partner.companyId} partner={partner} onOpen={onOpen} />
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  )
}

const endWords = { asked: 'withdrawPartner', invited: 'declinePartner', partner: 'endPartner' } as const

function Row({ partner, onOpen }: { partner: Partner; onOpen: (open: Open) => void }) {
  const say = useLaterSay('partners')
  const { dateTime } = useFormats()
  const { companyId, state, since } = partner
  const name = namePartner(partner, say)
  const accept = useSave(() => api.addPartner({ body: { companyId } }), {
    changes: ['partners'],
    told: say('partnerAccepted', { partner: name }),
  })
  return (
    <tr className={tableLook.row}>
      <th scope="row" className={`${tableLook.cell} min-w-28 font-medium [overflow-wrap:anywhere]`}>
        {name}
        {partner.company && <span className="numbers block text-ink-soft text-xs">{companyId}</span>}
      </th>
      <td className={tableLook.cell}>
        <span className={state === 'partner' ? 'text-good' : state === 'invited' ? 'font-medium' : 'text-ink-soft'}>
          {say(`state_${state}`)}
        </span>
      </td>
      <td className={`${tableLook.cell} numbers whitespace-nowrap max-sm:hidden`}>{dateTime(since)}</td>
      <td className={`${tableLook.cell} !py-1 whitespace-nowrap`}>
        <div className="flex items-center justify-end gap-1">
          {state === 'invited' && (
            <Button look="primary" busy={accept.isPending} onClick={() => accept.mutate(undefined)}>
              {say('acceptPartner')}
            </Button>
          )}
          {state === 'partner' && (
            <Button onClick={() => onOpen({ what: 'balance', partner })}>
              <Wallet aria-hidden />
              <span className="max-sm:sr-only">{say('balance')}</span>
            </Button>
          )}
          <RowMenu name={name}>
            <MenuItem danger onSelect={() => onOpen({ what: 'end', partner })}>
              {say(endWords[state])}
            </MenuItem>
          </RowMenu>
        </div>
      </td>
    </tr>
  )
}

const told = { asked: 'partnerWithdrawn', invited: 'partnerDeclined', partner: 'partnerEnded' } as const

/** Says what it means before it is done: for a partner, that nothing that runs is touched. */
function EndPartner({ partner, onClose }: { partner: Partner; onClose: () => void }) {
  const say = useLaterSay('partners')
  const word = endWords[partner.state]
  return (
    <ConfirmWrite
      title={say(`${word}Title`, { partner: namePartner(partner, say) })}
      action={say(word)}
      write={() => api.endPartnership({ params: { companyId: partner.companyId } })}
      changes={['partners']}
      told={say(told[partner.state])}
      onClose={onClose}
    >
      {say(`${word}Lead`)}
    </ConfirmWrite>
  )
}
