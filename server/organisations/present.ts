import type { Company, DriverCompany, OwnCompany } from '../../contract/company.ts'
import type { Key, KeyWithSecret } from '../../contract/key.ts'
import { countryName } from '../../core/country.ts'
import { type Settings, settingsOf } from '../../core/settings.ts'
import type { IssuedKey, KeyRow, Organisation } from './queries.ts'

const presentFields = ({ id, name, logo, email, phone }: Organisation) => ({ id, name, logo, email, phone })

const presentPlace = ({ timezone, currency, country }: Organisation) => ({
  timezone,
  currency,
  country: { id: country, name: countryName(country) },
})

/** The organisation as the owner or the fulfiller of a task. */
export const presentCompany = (organisation: Organisation): Company => ({
  ...presentFields(organisation),
  paying: true,
})

/** Secret settings are never shown. */
export const presentSettings = (organisation: Organisation): Settings => ({
  ...settingsOf(organisation),
  googleApiKey: '',
})

/** The organisation a driver works for. */
export const presentDriverCompany = (organisation: Organisation): DriverCompany => ({
  ...presentFields(organisation),
  ...presentPlace(organisation),
  driverTransportation: null,
  shiftTimes: organisation.shift_times,
})

/** The organisation as its own keys see it. */
export const presentOwnCompany = (organisation: Organisation, publicUrl: string | undefined): OwnCompany => ({
  ...presentFields(organisation),
  ...presentPlace(organisation),
  moneyDecimals: settingsOf(organisation).moneyDecimals,
  shiftTimes: organisation.shift_times,
  createdAt: new Date(organisation.created_at).toISOString(),
  updatedAt: new Date(organisation.updated_at).toISOString(),
  settings: presentSettings(organisation),
  firstSteps: organisation.first_steps as OwnCompany['firstSteps'],
  publicUrl: publicUrl ?? null,
})

export const presentKey = (key: KeyRow): Key => ({
  id: key.id,
  name: key.name,
  scopes: key.scopes,
  createdAt: key.created_at.toISOString(),
  lastUsedAt: key.last_used_at?.toISOString() ?? null,
  expiresAt: key.expires_at?.toISOString() ?? null,
  revokedAt: key.revoked_at?.toISOString() ?? null,
})

/** Only the response to its creation shows the key itself. */
export const presentIssuedKey = (key: IssuedKey): KeyWithSecret => ({ ...presentKey(key), secret: key.secret })
