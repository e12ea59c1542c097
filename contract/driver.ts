import type { Static } from 'typebox'
import { DriverCompany, ShiftTime, shiftTimesInput } from './company.ts'
import { FilePath } from './file.ts'
import { longest, mostItems, mostLunchMinutes } from './limits.ts'
import { Id, Latitude, Longitude, Name, Nullable, PageQuery, Text, Time, Whole } from './schema.ts'
import { Type } from './type.ts'

const Optional = Type.Optional
const timeOfDay = Optional(
  Nullable(Text(20, { description: 'H:MM, HH:MM or HH:MM:SS in the organisation’s time zone; 24:00 is midnight' })),
)

const name = Name({ description: 'The full name' })
const phone = Text(longest.phone, {
  minLength: 1,
  description: 'A number in the organisation’s country, or an international one',
})
const teams = Type.Array(Id(), {
  minItems: 1,
  maxItems: mostItems,
  description: 'Team ids, at least one; replaces the whole list',
})

const shiftTimes = shiftTimesInput(
  'Shifts by day of the week, at most one each, instead of `startShiftTime` and `endShiftTime`; days not listed are free. Replaces the whole list',
)

const active = Type.Boolean({
  description:
    'Whether the driver may sign in and get tasks; false ends their sessions, duty and invitations at once. Tasks they have stay theirs',
})

const optional = {
  active: Optional(active),
  email: Optional(Nullable(Text(longest.email))),
  startShiftTime: timeOfDay,
  endShiftTime: timeOfDay,
  shiftTimes: Optional(shiftTimes),
  lunchBreakStart: timeOfDay,
  lunchBreakEnd: timeOfDay,
  lunchBreakDuration: Optional(Nullable(Whole({ maximum: mostLunchMinutes, description: 'Minutes' }))),
  driverTransportationId: Optional(
    Nullable(
      Type.Integer({ minimum: 1, maximum: 6, description: '1 foot, 2 bicycle, 3 motorcycle, 4 car, 5 van, 6 truck' }),
    ),
  ),
}

const avatar = Optional(Nullable(FilePath))

export const DriverInput = Type.Object({ name, phone, teams, avatar, ...optional }, { title: 'DriverInput' })
export const DriverUpdate = Type.Object(
  { name: Optional(name), phone: Optional(phone), teams: Optional(teams), avatar, ...optional },
  { title: 'DriverUpdate' },
)
export type DriverInput = Static<typeof DriverInput>
export type DriverUpdate = Static<typeof DriverUpdate>

export const ProfileUpdate = Type.Object(
  { avatar, hasDismissedIntroModal: Optional(Type.Boolean()) },
  { title: 'ProfileUpdate' },
)
export type ProfileUpdate = Static<typeof ProfileUpdate>

const NullableText = Nullable(Type.String())

export const DriverPosition = Type.Object(
  {
    lat: Latitude,
    lng: Longitude,
    heading: Nullable(Type.Number({ description: 'Degrees from north, clockwise' })),
    occurredAt: Time('When the driver was there'),
  },
  { title: 'DriverPosition' },
)
export type DriverPosition = Static<typeof DriverPosition>

const shared = {
  id: Id(),
  name: Type.String(),
  email: NullableText,
  password: Type.Literal(''),
  phone: Type.String(),
  avatar: NullableText,
  driver: Type.Boolean(),
  admin: Type.Boolean(),
  superAdmin: Type.Boolean(),
  active,
  dispatcher: Type.Boolean(),
  inShift: Type.Boolean(),
  hasDismissedIntroModal: Type.Boolean(),
  status: Type.Integer({ description: '0 off duty, 1 on duty and free, 2 on duty with a task in transit' }),
  startShiftTime: NullableText,
  endShiftTime: NullableText,
  shiftTimes: Type.Array(ShiftTime, { description: 'Shifts by day of the week; empty: the same shift every day' }),
  lunchBreakStart: NullableText,
  lunchBreakEnd: NullableText,
  createdAt: Time(),
  updatedAt: Time(),
  driverTransportationId: Nullable(Type.Integer()),
  companyId: Id(),
  position: Nullable(DriverPosition),
  silentSince: Nullable(
    Time(
      'The last sign of a driver on duty who has reported no position for 5 minutes, or for 3 × `locationTrackingTime` if that is longer; null for others',
    ),
  ),
}

/** A driver as creating and updating answer it. */
export const Driver = Type.Object(
  { ...shared, lunchBreakDuration: Nullable(Type.Integer()), company: DriverCompany },
  { title: 'Driver' },
)
export type Driver = Static<typeof Driver>

/** A driver in the list: the interface shows the length of lunch as text here. */
export const ListedDriver = Type.Object(
  {
    ...shared,
    lunchBreakDuration: Nullable(Type.String({ description: 'Minutes, as text' })),
    driverTransportation: Nullable(Type.Object({ id: Type.Integer(), name: Type.String() })),
    driverTeams: Type.Array(Type.Object({ id: Id(), name: Type.String() })),
  },
  { title: 'ListedDriver' },
)
export type ListedDriver = Static<typeof ListedDriver>

export const DriverQuery = Type.Object({
  teamId: Optional(Id()),
  inShift: Optional(Type.Boolean()),
  q: Optional(Text(longest.search, { description: 'Search in name, phone and email' })),
  ...PageQuery.properties,
})
export type DriverQuery = Static<typeof DriverQuery>

export const DriverSignIn = Type.Object(
  {
    phone: Type.Optional(Text(longest.phone, { description: 'With `code`' })),
    code: Type.Optional(Text(50, { description: 'The six digits of the invitation' })),
    secret: Type.Optional(
      Text(longest.secret, { description: 'The part of the invitation link after the #; instead of phone and code' }),
    ),
    tryId: Type.Optional(
      Text(longest.secret, {
        minLength: 16,
        description:
          'Random, made by this device. If the answer is lost, send the same again: the code or link signs the device in ' +
          'once more until the invitation expires, and the lost token stops working',
      }),
    ),
  },
  { title: 'DriverSignIn' },
)
export type DriverSignIn = Static<typeof DriverSignIn>

export const DriverLink = Type.Object(
  { secret: Text(longest.secret, { description: 'The part of the invitation link after the #' }) },
  { title: 'DriverLink' },
)
