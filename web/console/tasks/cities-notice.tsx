import { useQuery } from '@tanstack/react-query'
import { MapPinned, X } from 'lucide-react'
import { useState } from 'react'
import { useCompany } from '../../api/data.ts'
import { useSession } from '../../api/session.ts'
import { IconButton } from '../../ui/button.tsx'
import { useLaterSay } from '../../words/later.ts'

/** What the server says about its map and its geocoder. */
interface Described {
  geocoder?: 'houses' | 'cities' | 'nothing'
  /** The import, if there is one. */
  map?: unknown
}

const key = 'waybill.citiesNotice'
const wasClosed = () => {
  try {
    return localStorage.getItem(key) !== null
  } catch {
    return false
  }
}

/** Beside addresses that are in doubt, for who can change it: why only cities are found, and the one command that helps. */
export function CitiesNotice() {
  const say = useLaterSay('addresses')
  const { person } = useSession()
  const company = useCompany().data
  const [isClosed, setClosed] = useState(wasClosed)
  const isAdmin = person.role === 'admin'
  const { data } = useQuery({
    queryKey: ['described'],
    queryFn: async (): Promise<Described> => (await fetch('/console.json')).json(),
    staleTime: 60_000,
    enabled: isAdmin && !isClosed,
    retry: false,
  })
  const isFindingHouses = !data || data.map || data.geocoder === 'houses' || company?.settings.googleApiKey
  if (!isAdmin || isClosed || isFindingHouses) return null
  const close = () => {
    localStorage.setItem(key, '1')
    setClosed(true)
  }
  return (
    <div role="note" className="mb-4 flex items-start gap-2 rounded-lg border border-line bg-surface px-3 py-2">
      <MapPinned aria-hidden className="mt-0.5 size-4 shrink-0 text-accent" />
      <div className="grid min-w-0 grow gap-1">
        <p>
          <strong className="font-semibold">{say(data.geocoder === 'cities' ? 'onlyCities' : 'nothingIsFound')}</strong>{' '}
          {say('importAMap')}
        </p>
        <code className="justify-self-start rounded bg-sunken px-1.5 py-0.5 [overflow-wrap:anywhere]">
          waybill map import {say('mapFile')}
        </code>
      </div>
      <IconButton label={say('close')} onClick={close}>
        <X />
      </IconButton>
    </div>
  )
}
