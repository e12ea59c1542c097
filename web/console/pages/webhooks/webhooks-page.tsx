import { useQuery } from '@tanstack/react-query'
import { Webhook as WebhookIcon } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { keysOf } from '../../../api/data.ts'
import { useMay } from '../../../api/session.ts'
import { Button } from '../../../ui/button.tsx'
import { ConfirmWrite } from '../../../ui/confirm.tsx'
import { CopyText } from '../../../ui/copy.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { MenuItem } from '../../../ui/menu.tsx'
import { RowMenu } from '../../../ui/row-menu.tsx'
import { useSave } from '../../../ui/save.ts'
import { onlyWith } from '../../../ui/state.tsx'
import { useTell } from '../../../ui/toast.tsx'
import { ListPage } from '../list-page.tsx'
import { useSay } from '../record-words.ts'
import { DeliveryLog } from './delivery-log.tsx'
import type { Webhook } from './webhook.ts'
import { WebhookForm } from './webhook-form.tsx'

type Open =
  | { what: 'new' }
  | { what: 'log' | 'rotate' | 'delete'; webhook: Webhook }
  | { what: 'secret'; secret: string }

export default onlyWith('webhooks:read', Webhooks)

function Webhooks() {
  const say = useSay()
  const may = useMay()
  const webhooks = useQuery({ queryKey: keysOf.webhooks, queryFn: async () => (await api.listWebhooks()).webHooks })
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const show = (secret: string) => setOpen({ what: 'secret', secret })
  const row = (webhook: Webhook) => ({
    key: webhook.id,
    cells: [
      <span key="url" className="break-all">
        {webhook.url}
      </span>,
      say.known(`trigger${webhook.trigger}`) ?? webhook.trigger,
      webhook.isEnabled ? say('enabled') : `${say('disabled')}: ${webhook.disabledReason ?? ''}`,
    ],
    menu: <WebhookMenu webhook={webhook} onOpen={setOpen} />,
  })
  return (
    <ListPage
      title="webhooks"
      lead="webhooksLead"
      none={{ picture: <WebhookIcon />, title: 'noWebhooks', lead: 'noWebhooksLead' }}
      add={may('webhooks:write') && { word: 'newWebhook', go: () => setOpen({ what: 'new' }) }}
      query={webhooks}
      columns={['url', 'trigger', 'state']}
      row={row}
    >
      {open?.what === 'new' && <WebhookForm webhooks={webhooks.data ?? []} onMade={show} onClose={close} />}
      {open?.what === 'log' && <DeliveryLog webhook={open.webhook} onClose={close} />}
      {open?.what === 'rotate' && <RotateSecret webhook={open.webhook} onMade={show} onClose={close} />}
      {open?.what === 'delete' && <DeleteWebhook webhook={open.webhook} onClose={close} />}
      {open?.what === 'secret' && (
        <Dialog title={say('secret')} lead={say('secretLead')} open onClose={close}>
          <CopyText text={open.secret} label={say('secret')} />
        </Dialog>
      )}
    </ListPage>
  )
}

function WebhookMenu({ webhook, onOpen }: { webhook: Webhook; onOpen: (open: Open) => void }) {
  const say = useSay()
  const may = useMay()
  const tell = useTell()
  const params = { webhookId: webhook.id }
  const test = useSave(() => api.testWebhook({ params }), {
    changes: [],
    onDone: ({ test: { delivered, status, durationMs, error } }) =>
      delivered
        ? tell(say('testArrived', { status: String(status), ms: durationMs }))
        : tell(say('testFailed', { reason: error ?? String(status) }), { bad: true }),
  })
  const enable = useSave(() => api.enableWebhook({ params }), { changes: ['webhooks'], told: say('webhookEnabled') })
  return (
    <>
      <Button look="quiet" onClick={() => onOpen({ what: 'log', webhook })}>
        {say('deliveries')}
      </Button>
      <RowMenu name={webhook.url}>
        {may('webhooks:send') && <MenuItem onSelect={() => test.mutate(undefined)}>{say('testWebhook')}</MenuItem>}
        {may('webhooks:send') && !webhook.isEnabled && (
          <MenuItem onSelect={() => enable.mutate(undefined)}>{say('enable')}</MenuItem>
        )}
        {may('webhooks:write') && (
          <>
            <MenuItem onSelect={() => onOpen({ what: 'rotate', webhook })}>{say('rotateSecret')}</MenuItem>
            <MenuItem danger onSelect={() => onOpen({ what: 'delete', webhook })}>
              {say('delete')}
            </MenuItem>
          </>
        )}
      </RowMenu>
    </>
  )
}

interface Asked {
  webhook: Webhook
  onClose: () => void
}

function RotateSecret({ webhook, onMade, onClose }: Asked & { onMade: (secret: string) => void }) {
  const say = useSay()
  return (
    <ConfirmWrite
      title={say('rotateSecret')}
      action={say('rotateSecret')}
      write={() => api.rotateWebhookSecret({ params: { webhookId: webhook.id } })}
      changes={[]}
      onDone={({ webHook }) => onMade(webHook.secret)}
      onClose={onClose}
    >
      {say('rotateSecretLead')}
    </ConfirmWrite>
  )
}

function DeleteWebhook({ webhook, onClose }: Asked) {
  const say = useSay()
  return (
    <ConfirmWrite
      title={webhook.url}
      action={say('delete')}
      write={() => api.deleteWebhook({ params: { webhookId: webhook.id } })}
      changes={['webhooks']}
      told={say('webhookDeleted')}
      onClose={onClose}
    >
      {say('deleteWebhookLead', { url: webhook.url })}
    </ConfirmWrite>
  )
}
