import type { Static } from 'typebox'
import { longest } from './limits.ts'
import { Id, Nullable, Text, Time, Whole } from './schema.ts'
import { Type } from './type.ts'

const Optional = Type.Optional

/** What a phone tells about itself with every sync. A phone that cannot read its battery must still be able to sync. */
export const DeviceReport = Type.Object(
  {
    name: Optional(Nullable(Text(longest.name, { description: 'What the office calls it, such as its model' }))),
    battery: Optional(Nullable(Type.Number({ description: 'Percent; below 0 or above 100 counts as unknown' }))),
    pending: Optional(Nullable(Whole({ description: 'How many ops it still has to send after these' }))),
    version: Optional(Nullable(Text(longest.name, { description: 'Of the app' }))),
  },
  { title: 'DeviceReport', description: 'What is not given stays as it was' },
)
export type DeviceReport = Static<typeof DeviceReport>

/** A phone on which a driver is signed in. */
export const Device = Type.Object(
  {
    id: Id(),
    name: Nullable(Type.String()),
    version: Nullable(Type.String({ description: 'Of the app' })),
    battery: Nullable(Type.Integer({ description: 'Percent, when it was last heard of' })),
    pending: Nullable(Type.Integer({ description: 'How many ops it had not sent yet, at the last sync' })),
    lastSeenAt: Nullable(Time('The last sync or position; null before the first')),
    signedInAt: Time(),
  },
  { title: 'Device' },
)
export type Device = Static<typeof Device>

export const DriverDevice = Type.Object({ ...Device.properties, driverId: Id() }, { title: 'DriverDevice' })

const Base64 = (bytes: number, description: string) =>
  Type.String({
    pattern: `^[\\w+/-]{${Math.ceil((bytes * 4) / 3)}}=*$`,
    description,
    'x-rule': `must be ${bytes} bytes in base64url`,
  })

/** A subscription as a browser gives it (`PushSubscription.toJSON()`). */
export const PushInput = Type.Object(
  {
    endpoint: Text(longest.url, { minLength: 1, description: 'An https address' }),
    keys: Type.Object({
      p256dh: Base64(65, 'The public key of the browser, a point of P-256'),
      auth: Base64(16, 'Its secret'),
    }),
  },
  { title: 'PushInput' },
)
export type PushInput = Static<typeof PushInput>
