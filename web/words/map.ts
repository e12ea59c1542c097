import type { Words } from './words.ts'

/** What the map says. */
export const mapWords = {
  zoomIn: ['Zoom in', 'Mărește'],
  zoomOut: ['Zoom out', 'Micșorează'],
  fitAll: ['Show everything', 'Arată tot'],
  legend: ['Legend', 'Legendă'],
  approximate: ['Approximate', 'Aproximativ'],
  approximatePlace: ['Approximate address', 'Adresă aproximativă'],
  oldPosition: ['Old position', 'Poziție veche'],
  oldPositionLead: ['The last position is more than 2 minutes old', 'Ultima poziție este mai veche de 2 minute'],
  byLastTask: ['By last task', 'După ultimul task'],
  byLastTaskLead: [
    'The driver sends no position and is shown at their last task',
    'Șoferul nu trimite poziția și apare la ultimul task',
  ],
  positionOf: ['position {age}', 'poziție {age}'],
  placeByTask: ['at the last task, {age}', 'la ultimul task, {age}'],
  justNow: ['just now', 'chiar acum'],
  minutesAgo: ['{n} min ago', 'acum {n} min'],
  hoursAgo: ['{n} h ago', 'acum {n} h'],
  moreHere: [
    { one: 'and {n} more here', other: 'and {n} more here' },
    { one: 'și încă unul aici', few: 'și încă {n} aici', other: 'și încă {n} aici' },
  ],
  tasksHere: [
    { one: '{n} task here', other: '{n} tasks here' },
    { one: '{n} task aici', few: '{n} taskuri aici', other: '{n} de taskuri aici' },
  ],
  chooseAll: ['Select all', 'Selectează toate'],
  unplaced: [
    { one: '{n} task not on the map', other: '{n} tasks not on the map' },
    { one: '{n} task nu este pe hartă', few: '{n} taskuri nu sunt pe hartă', other: '{n} de taskuri nu sunt pe hartă' },
  ],
  unplacedLead: [
    'Their addresses have no coordinates. Open one to correct it.',
    'Adresele lor nu au coordonate. Deschide una ca s-o corectezi.',
  ],
  schematicWanted: ['Schematic map', 'Hartă schematică'],
  schematicUnreachable: [
    'Schematic map: the map server cannot be reached',
    'Hartă schematică: serverul de hărți nu poate fi contactat',
  ],
  routeOf: ['Route of {driver}', 'Ruta lui {driver}'],
  stopsLeft: [
    { one: '{n} stop left', other: '{n} stops left' },
    { one: '{n} oprire rămasă', few: '{n} opriri rămase', other: '{n} de opriri rămase' },
  ],
  noStops: ['Nothing left to do', 'Nimic de făcut'],
  anyTime: ['any time', 'oricând'],
  foldStops: ['Hide the stops', 'Ascunde opririle'],
  unfoldStops: ['Show the stops', 'Arată opririle'],
  closeRoute: ['Close the route', 'Închide ruta'],
} as const satisfies Words
