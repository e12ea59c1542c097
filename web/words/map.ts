import type { Words } from './words.ts'

/** The texts of the map. */
export const mapWords = {
  zoomIn: ['Zoom in', 'Mărește'],
  zoomOut: ['Zoom out', 'Micșorează'],
  fitAll: ['Show everything', 'Arată tot'],
  legend: ['Legend', 'Legendă'],
  approximate: ['Approximate', 'Aproximativă'],
  approximatePlace: ['Approximate address', 'Adresă aproximativă'],
  oldPosition: ['Old position', 'Poziție veche'],
  oldPositionLead: ['The last position is more than 2 minutes old', 'Ultima poziție este mai veche de 2 minute'],
  byLastTask: ['At last task', 'La ultima comandă'],
  byLastTaskLead: [
    'The driver sends no position and is shown at the last task',
    'Șoferul nu trimite poziția și apare la ultima comandă',
  ],
  positionOf: ['position {age}', 'poziție {age}'],
  placeByTask: ['at the last task, {age}', 'la ultima comandă, {age}'],
  moreHere: [
    { one: 'and {n} more here', other: 'and {n} more here' },
    { one: 'și încă {n} aici', few: 'și încă {n} aici', other: 'și încă {n} aici' },
  ],
  tasksHere: [
    { one: '{n} task here', other: '{n} tasks here' },
    { one: '{n} comandă aici', few: '{n} comenzi aici', other: '{n} de comenzi aici' },
  ],
  chooseAll: ['Select all', 'Selectează tot'],
  unplaced: [
    { one: '{n} task not on the map', other: '{n} tasks not on the map' },
    {
      one: '{n} comandă nu este pe hartă',
      few: '{n} comenzi nu sunt pe hartă',
      other: '{n} de comenzi nu sunt pe hartă',
    },
  ],
  unplacedLead: [
    'Their addresses have no coordinates. Open a task to correct its address.',
    'Adresele lor nu au coordonate. Deschide o comandă ca să îi corectezi adresa.',
  ],
  schematicWanted: ['Schematic map', 'Hartă schematică'],
  schematicUnreachable: [
    'Schematic map: the map server cannot be reached',
    'Hartă schematică: serverul de hărți nu răspunde',
  ],
  noMap: ['This browser cannot draw the map', 'Acest browser nu poate afișa harta'],
  noMapLead: [
    'Everything else works: the list, the board, the timeline and the table. For the map, turn on graphics acceleration (WebGL) in the settings of the browser.',
    'Restul funcționează: lista, panoul, cronologia și tabelul. Pentru hartă, activează accelerarea grafică (WebGL) în setările browserului.',
  ],
  showTrack: ['Show track', 'Arată drumul parcurs'],
  hideTrack: ['Hide track', 'Ascunde drumul parcurs'],
  driven: ['{distance} driven', 'Parcurs: {distance}'],
  noTrack: ['No positions on this day', 'Nicio poziție în această zi'],
  trackFailed: ['The track could not be loaded', 'Drumul parcurs nu a putut fi încărcat'],
  routeOf: ['Route of {driver}', 'Traseu: {driver}'],
  stopsLeft: [
    { one: '{n} stop left', other: '{n} stops left' },
    { one: '{n} oprire rămasă', few: '{n} opriri rămase', other: '{n} de opriri rămase' },
  ],
  noStops: ['No stops left', 'Nicio oprire rămasă'],
  anyTime: ['any time', 'oricând'],
  foldStops: ['Hide stops', 'Ascunde opririle'],
  unfoldStops: ['Show stops', 'Arată opririle'],
  closeRoute: ['Close route', 'Închide traseul'],
} as const satisfies Words
