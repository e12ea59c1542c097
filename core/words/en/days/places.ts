import type { Texts } from '../../say.ts'

/** Where in a route tasks go, and what undoing them comes to. */
export const placeWords = {
  undoneExcept: {
    one: 'Undone, except {n} task ({awbs}): {reason}',
    other: 'Undone, except {n} tasks ({awbs}): {reason}',
  },
  startAgain: {
    one: '{n} task was in transit; the driver has to start it again ({awbs})',
    other: '{n} tasks were in transit; the drivers have to start them again ({awbs})',
  },
  placeInRoute: 'Place in the route',
  placeInRouteOf: 'Place in the route of {driver}',
  placeBest: 'Best place',
  placeNext: 'Next',
  placeLast: 'Last',
  placeArrival: 'Arrives at {time}, no task becomes late',
} as const satisfies Texts
