import type { Static } from 'typebox'
import { longest } from './limits.ts'
import { Latitude, Longitude, Nullable, Text, Time, Whole, Words } from './schema.ts'
import { Type } from './type.ts'

/** How far a task is, as its customer sees it. */
export const trackingStates = ['planned', 'assigned', 'onTheWay', 'arrived', 'done', 'failed'] as const
export type TrackingState = (typeof trackingStates)[number]

const Picture = (description: string) => Nullable(Type.String({ description }))

/**
 * What the customer of a task may know, and nothing else: no surname, no route, no other customer, and a position only
 * while this task is on its way.
 */
export const Tracking = Type.Object(
  {
    awb: Type.String(),
    state: Type.Unsafe<TrackingState>({ type: 'string', enum: [...trackingStates] }),
    isPickup: Type.Boolean(),
    company: Type.Object({
      name: Type.String(),
      logo: Picture('Path of the logo'),
      accentColor: Type.String(),
      timezone: Type.String(),
    }),
    window: Nullable(
      Type.Object({ from: Nullable(Time()), to: Nullable(Time()) }, { description: 'When it was agreed to be done' }),
    ),
    arrival: Nullable(
      Type.Object(
        { from: Time(), to: Time() },
        { description: 'When the driver is expected; narrower the closer they are' },
      ),
    ),
    stopsBefore: Nullable(Whole({ description: 'Stops of the driver before this one; null unless it is for today' })),
    driver: Nullable(
      Type.Object({
        firstName: Type.String(),
        avatar: Picture('Path of the picture'),
        transportationId: Nullable(
          Type.Integer({ description: '1 foot, 2 bicycle, 3 motorcycle, 4 car, 5 van, 6 truck' }),
        ),
      }),
    ),
    position: Nullable(
      Type.Object(
        { lat: Latitude, lng: Longitude, at: Time() },
        { description: 'Where the driver is, while this task is on its way' },
      ),
    ),
    line: Nullable(
      Type.String({
        description:
          'The way along the streets from that position to this address, whatever the driver does before: an encoded polyline with five decimals. Null where no road is known',
      }),
    ),
    destination: Nullable(Type.Object({ address: Type.String(), lat: Nullable(Latitude), lng: Nullable(Longitude) })),
    call: Nullable(Type.String({ description: 'The number to call' })),
    message: Nullable(Type.String({ description: 'The number to send a text message to' })),
    instructions: Type.Object({
      isOpen: Type.Boolean({ description: 'Whether the customer can leave instructions' }),
      given: Type.Array(Type.String(), { description: 'What the customer has left so far' }),
    }),
    endedAt: Nullable(Time()),
    receivedBy: Nullable(Type.String({ description: 'Who signed' })),
    photos: Type.Array(Type.String({ description: 'Path of a photo the driver took' })),
    reason: Nullable(
      Type.Object(
        { label: Type.String(), labels: Type.Unsafe<Record<string, string>>({ type: 'object' }) },
        { description: 'Why it failed, if the driver chose a reason of the organisation' },
      ),
    ),
    feedback: Type.Object({
      isOpen: Type.Boolean({ description: 'Whether the customer can rate it' }),
      given: Nullable(Type.Object({ rating: Type.Integer(), comment: Type.String() })),
    }),
    again: Nullable(
      Type.Object(
        {
          days: Type.Array(Type.String({ description: 'YYYY-MM-DD' })),
          windows: Type.Array(Type.Object({ from: Type.String(), to: Type.String() }), {
            description: 'Times of day; empty: only the day is chosen',
          }),
          safePlace: Type.Boolean({ description: 'Whether a place can be named where the parcel may be left' }),
        },
        { description: 'What the customer of a failed task can choose for the next try' },
      ),
    ),
    next: Nullable(
      Type.Object(
        {
          kind: Type.String({ enum: ['again', 'return'] }),
          path: Nullable(Type.String({ description: 'The page of the next try, if it is for the same customer' })),
        },
        { description: 'What follows a failed task: it is tried again, or the parcel goes back' },
      ),
    ),
    messages: Nullable(
      Type.Object(
        { isOptedOut: Type.Boolean() },
        { description: 'Whether the customer gets messages; null if nobody does' },
      ),
    ),
    closesAt: Nullable(Time('When this page ends')),
  },
  { title: 'Tracking' },
)
export type Tracking = Static<typeof Tracking>

export const InstructionsInput = Type.Object({ text: Words(longest.instructions) }, { title: 'InstructionsInput' })
export type InstructionsInput = Static<typeof InstructionsInput>

export const OptOutInput = Type.Object(
  { optOut: Type.Optional(Type.Boolean({ description: 'False to get messages again; defaults to true' })) },
  { title: 'OptOutInput' },
)
export type OptOutInput = Static<typeof OptOutInput>

export const ChosenInput = Type.Object(
  {
    day: Text(10, { description: 'One of the days offered, as YYYY-MM-DD' }),
    window: Type.Optional(Text(20, { description: 'One of the windows offered, as HH:MM-HH:MM' })),
    safePlace: Type.Optional(Text(longest.instructions)),
  },
  { title: 'ChosenInput' },
)
export type ChosenInput = Static<typeof ChosenInput>
