import type { Texts } from '../../say.ts'

/** The texts of the map. */
export const mapWords = {
  legend: 'Legend',
  approximate: 'Approximate',
  approximatePlace: 'Approximate address',
  oldPosition: 'Old position',
  oldPositionLead: 'The last position is more than 2 minutes old',
  byLastTask: 'At last task',
  byLastTaskLead: 'The driver sends no position and is shown at the last task',
  positionOf: 'position {age}',
  placeByTask: 'at the last task, {age}',
  moreHere: { one: 'and {n} more here', other: 'and {n} more here' },
  chooseAll: 'Select all',
  unplacedLead: 'Their addresses have no coordinates. Open a task to correct its address.',
  withoutStreets: 'Map without streets',
  streetsUnreachable: 'Map without streets: the map server cannot be reached',
  noMap: 'This browser cannot draw the map',
  noMapLead:
    'Everything else works: the list, the board, the timeline and the table. For the map, turn on graphics acceleration (WebGL) in the settings of the browser.',
  showTrack: 'Show track',
  hideTrack: 'Hide track',
  driven: '{distance} driven',
  noTrack: 'No positions on this day',
  trackFailed: 'The track could not be loaded',
  routeOf: 'Route of {driver}',
  stopsLeft: { one: '{n} stop left', other: '{n} stops left' },
  noStops: 'No stops left',
  anyTime: 'any time',
  foldStops: 'Hide stops',
  unfoldStops: 'Show stops',
  closeRoute: 'Close route',
} as const satisfies Texts
