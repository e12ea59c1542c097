import type { Static, TSchema } from 'typebox'
import { type Setting, type Settings as SettingValues, settings } from '../core/settings.ts'
import { FilePathOrEmpty } from './file.ts'
import { longest } from './limits.ts'
import { AnyJson, Id, Name, Nullable, Text, Time, Whole } from './schema.ts'
import { Type } from './type.ts'

const fields = {
  id: Id(),
  name: Type.String(),
  logo: Type.String({ description: 'A stored-file path, or empty' }),
  email: Type.String(),
  phone: Nullable(Type.String()),
}

/** An organisation as others see it: the owner and the fulfiller of a task. */
export const Company = Type.Object({ ...fields, paying: Type.Boolean() }, { title: 'Company' })
export type Company = Static<typeof Company>

/** How a setting is sent. The table in core lists all of them; nothing is listed twice. */
const wireTypes: Record<Setting['type'], (setting: Setting, description: string) => TSchema> = {
  boolean: (_, description) => Type.Boolean({ description }),
  integer: ({ most, values }, description) =>
    values
      ? Type.Integer({ enum: [...values], description })
      : Whole({ ...(most !== undefined && { maximum: most }), description }),
  text: (_, description) => Text(longest.setting, { description }),
  colour: (_, description) =>
    Type.String({ pattern: '^#[0-9a-fA-F]{6}$', description, 'x-rule': 'must be a colour such as #0b5fff' }),
  choice: ({ choices = [] }, description) => Type.String({ enum: [...choices], description }),
  time: (_, description) =>
    Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$', description, 'x-rule': 'must be a time such as 21:00' }),
  // Settings travel with every request of the organisation, so they stay small.
  json: (_, description) => AnyJson(description, 10_000),
  secret: (_, description) => Text(longest.setting, { description }),
  id: (_, description) => Id(description),
}

const wireSettings = (schemaOf: (setting: Setting) => TSchema) =>
  Object.fromEntries(Object.entries<Setting>(settings).map(([name, setting]) => [name, schemaOf(setting)]))

function settingInput(setting: Setting): TSchema {
  const schema = wireTypes[setting.type](setting, setting.effect)
  return setting.nullable && setting.type !== 'json' ? Nullable(schema) : schema
}

/** A secret is empty in every answer, and every test that sees settings checks it. */
const settingOutput = (setting: Setting): TSchema =>
  setting.type === 'secret'
    ? Type.String({ maxLength: 0, description: `${setting.effect}; always read as ""` })
    : settingInput(setting)

export const Settings = Type.Unsafe<SettingValues>({
  title: 'Settings',
  type: 'object',
  required: Object.keys(settings),
  properties: wireSettings(settingOutput),
})

/** Any of the settings; those not given stay unchanged. */
export const SettingsInput = Type.Unsafe<Partial<SettingValues>>({
  title: 'SettingsInput',
  type: 'object',
  properties: wireSettings(settingInput),
})

/** The owner in the results of a bulk creation. */
export const CompanyWithSettings = Type.Object(
  { ...Company.properties, settings: Settings },
  { title: 'CompanyWithSettings' },
)
export type CompanyWithSettings = Static<typeof CompanyWithSettings>

const Country = Type.Object({ id: Type.String(), name: Type.String() }, { title: 'Country' })
const place = {
  timezone: Type.String({ description: 'An IANA zone name' }),
  currency: Type.String({ description: 'A currency code' }),
  country: Country,
}

export const ShiftTime = Type.Object(
  { day: Type.Integer({ minimum: 1, maximum: 7 }), start: Type.String(), end: Type.String() },
  { title: 'ShiftTime' },
)

/** Hours by day of the week, as they are given. */
export const shiftTimesInput = (description: string) =>
  Type.Array(
    Type.Object(
      {
        day: Type.Integer({ minimum: 1, maximum: 7, description: '1 Monday to 7 Sunday' }),
        start: Text(20, { minLength: 1, description: 'H:MM, HH:MM or HH:MM:SS in the organisation’s time zone' }),
        end: Text(20, { minLength: 1, description: 'The same; not after the start: on the next day' }),
      },
      { title: 'ShiftTimeInput' },
    ),
    { maxItems: 7, description },
  )

const OpeningHours = Type.Array(ShiftTime, {
  description: 'Opening hours by day of the week: the shift of drivers without one of their own. Empty: none',
})

/** The organisation a driver works for. */
export const DriverCompany = Type.Object(
  {
    ...fields,
    ...place,
    driverTransportation: Nullable(Type.Object({ id: Type.Integer(), name: Type.String() })),
    shiftTimes: OpeningHours,
  },
  { title: 'DriverCompany' },
)
export type DriverCompany = Static<typeof DriverCompany>

const MoneyDecimals = Type.Unsafe<number>({
  ...settingInput(settings.moneyDecimals),
  description: 'How many decimals amounts of money can have: 0 or 2. Also found, and changed, in `settings`',
})

/** How far a new organisation is: its name is asked for, the list of first steps is shown, or neither. */
export const firstStepsStates = ['setUp', 'open', 'done'] as const
type FirstStepsState = (typeof firstStepsStates)[number]
const FirstStepsState = Type.Unsafe<FirstStepsState>({
  type: 'string',
  enum: [...firstStepsStates],
  description:
    '`setUp`: its name and place are still to be confirmed; `open`: the console lists the first steps; `done`',
})

/** What a new organisation has to do before its first delivery, in this order, and what of it was done. */
export const FirstSteps = Type.Object(
  {
    hub: Type.Boolean(),
    team: Type.Boolean(),
    driver: Type.Boolean(),
    invited: Type.Boolean(),
    task: Type.Boolean(),
    assigned: Type.Boolean(),
    delivered: Type.Boolean(),
  },
  { title: 'FirstSteps' },
)
export type FirstSteps = Static<typeof FirstSteps>

/** The organisation as its own keys see it. */
export const OwnCompany = Type.Object(
  {
    ...fields,
    ...place,
    moneyDecimals: MoneyDecimals,
    shiftTimes: OpeningHours,
    createdAt: Time(),
    updatedAt: Time(),
    settings: Settings,
    firstSteps: FirstStepsState,
    publicUrl: Nullable(
      Type.String({
        description: 'Where this server is reached from outside; null if `WAYBILL_PUBLIC_URL` is not set',
      }),
    ),
  },
  { title: 'OwnCompany' },
)
export type OwnCompany = Static<typeof OwnCompany>

const Optional = Type.Optional

/** Fields not given stay unchanged, also inside `settings`. */
export const CompanyUpdate = Type.Object(
  {
    name: Optional(Name()),
    logo: Optional(FilePathOrEmpty),
    email: Optional(
      Type.String({
        maxLength: longest.email,
        pattern: '^([^\\s@]+@[^\\s@]+)?$',
        'x-email': true,
        'x-rule': `must be an email address of at most ${longest.email} characters, or empty`,
      }),
    ),
    phone: Optional(Nullable(Text(longest.phone))),
    country: Optional(
      Type.Union([Type.String(), Type.Object({ id: Type.String() })], {
        description: 'A country code such as RO, or the object shown in answers',
      }),
    ),
    timezone: Optional(Text(longest.timezone, { description: 'An IANA zone name such as Europe/Bucharest' })),
    currency: Optional(Text(longest.currency, { description: 'A currency code such as RON' })),
    moneyDecimals: Optional(MoneyDecimals),
    shiftTimes: Optional(
      shiftTimesInput(
        'Opening hours by day of the week, at most one each; days not listed are closed. Drivers without a shift of their own work then. Replaces the whole list; empty: none',
      ),
    ),
    settings: Optional(SettingsInput),
    firstSteps: Optional(FirstStepsState),
  },
  { title: 'CompanyUpdate' },
)
export type CompanyUpdate = Static<typeof CompanyUpdate>
