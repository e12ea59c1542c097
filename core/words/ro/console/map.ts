import type { mapWords as english } from '../../en/console/map.ts'
import type { Translation } from '../../say.ts'

export const mapWords = {
  legend: 'Legendă',
  approximate: 'Aproximativă',
  approximatePlace: 'Adresă aproximativă',
  oldPosition: 'Poziție veche',
  oldPositionLead: 'Ultima poziție este mai veche de 2 minute',
  byLastTask: 'La ultima comandă',
  byLastTaskLead: 'Șoferul nu trimite poziția și apare la ultima comandă',
  positionOf: 'poziție {age}',
  placeByTask: 'la ultima comandă, {age}',
  moreHere: { one: 'și încă {n} aici', few: 'și încă {n} aici', other: 'și încă {n} aici' },
  chooseAll: 'Selectează tot',
  unplacedLead: 'Adresele lor nu au coordonate. Deschide o comandă ca să îi corectezi adresa.',
  withoutStreets: 'Hartă fără străzi',
  streetsUnreachable: 'Hartă fără străzi: serverul de hărți nu răspunde',
  noMap: 'Acest browser nu poate afișa harta',
  noMapLead:
    'Restul funcționează: lista, panoul, cronologia și tabelul. Pentru hartă, activează accelerarea grafică (WebGL) în setările browserului.',
  showTrack: 'Arată drumul parcurs',
  hideTrack: 'Ascunde drumul parcurs',
  driven: 'Parcurs: {distance}',
  noTrack: 'Nicio poziție în această zi',
  trackFailed: 'Drumul parcurs nu a putut fi încărcat',
  routeOf: 'Traseu: {driver}',
  stopsLeft: { one: '{n} oprire rămasă', few: '{n} opriri rămase', other: '{n} de opriri rămase' },
  noStops: 'Nicio oprire rămasă',
  anyTime: 'oricând',
  foldStops: 'Ascunde opririle',
  unfoldStops: 'Arată opririle',
  closeRoute: 'Închide traseul',
} as const satisfies Translation<typeof english>
